"""`python -m gdcurves`."""

from gdcurves.cli import main

if __name__ == "__main__":
    main()
