"""What rows of totals are called, without case and stops."""

from __future__ import annotations

NAMES_OF_TOTALS = frozenset(
    {
        *("total", "totals", "grand total", "subtotal", "sub-total", "sum", "sums", "mean"),
        *("means", "average", "averages", "overall total", "column total", "all rows"),
        *("summe", "gesamt", "gesamtsumme", "insgesamt", "mittelwert", "durchschnitt"),
        *("somme", "moyenne", "total g\u00e9n\u00e9ral", "suma", "promedio", "totale", "somma"),
        *("totaal", "gemiddelde", "summa", "medelv\u00e4rde", "gennemsnit", "gjennomsnitt"),
    }
)
BESIDE = frozenset(
    {
        *("min", "max", "minimum", "maximum", "median", "count", "n", "sd", "std", "std dev"),
        *("stdev", "std. dev", "standard deviation", "variance", "var", "range", "se", "sem"),
        *("25%", "50%", "75%", "q1", "q3", "anzahl", "standardabweichung", "m\u00e9diane"),
        *("\u00e9cart-type", "media", "m\u00e9dia", "top", "freq", "unique"),
    }
)
"""What stands beside these; a name or a level alone."""
