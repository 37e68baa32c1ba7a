"""The JSON schema of config files, for editors."""

from __future__ import annotations

from typing import Any

from gdcurves.config import FitterConfig, RunConfig
from gdcurves.datasets import CATALOGUE, REMOTE
from gdcurves.fitters import REGISTRY
from gdcurves.plots import FIGURES
from gdcurves.scoring.measures import MEASURES
from gdcurves.simulators import NAMED, SimulationConfig


def schema() -> dict[str, Any]:
    """Return the schema; fitters are told apart by `type`, each with its own options."""
    whole = RunConfig.model_json_schema()
    shared = FitterConfig.model_json_schema()["properties"]
    kinds = []
    for name, fitter in REGISTRY.items():
        own = fitter.model_json_schema()
        whole["$defs"] |= own.get("$defs", {})
        kinds.append(
            {
                "title": name,
                "description": fitter.summary,
                "type": "object",
                "properties": shared | own.get("properties", {}) | {"type": {"const": name}},
                "required": ["type", *own.get("required", [])],
                "additionalProperties": False,
            }
        )
    whole["$defs"].pop("FitterConfig")
    whole["properties"]["fitters"]["items"] = {"oneOf": kinds}
    whole["properties"]["measures"]["items"] |= {"enum": [*MEASURES]}
    finite = [name for name, each in MEASURES.items() if not each.infinite]
    whole["properties"]["measure"] |= {"enum": [*finite, None]}
    whole["properties"]["figure"] |= {"enum": sorted(FIGURES)}
    law = SimulationConfig.model_json_schema()
    whole["$defs"] |= law.pop("$defs")
    law["properties"]["name"] |= {"enum": [*NAMED, None]}
    experiment = whole["$defs"]["ExperimentConfig"]["properties"]
    experiment["simulate"] |= {"anyOf": [{"enum": [*NAMED]}, law, {"type": "null"}]}
    remote = [each.EXAMPLES[0] for each in REMOTE.values()]
    experiment["data"] |= {"examples": [*CATALOGUE, "my.csv", *remote]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | whole
