"""Fidelity over HTTP. All of it is constant."""

from fastapi import APIRouter
from msgspec import to_builtins

from backend.fidelity.schemas import FidelityRead
from backend.http.json_response import JsonAnswer
from sim_engine import fidelity, read_evidence

router = APIRouter(tags=["fidelity"])


@router.get("/fidelity", response_model=FidelityRead)
async def read_fidelity() -> JsonAnswer:
    """What is modelled as Kafka does it, simpler, or left out, and what the engine is held to."""
    evidence = read_evidence()
    return JsonAnswer(
        {
            **to_builtins(evidence),
            "releases": evidence.releases,
            "sections": to_builtins(fidelity()),
        }
    )
