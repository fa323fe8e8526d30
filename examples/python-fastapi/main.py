"""Back end of a quest. It serves the page of `../html`, and decides on its claims."""

import os
import sys

from fastapi import FastAPI, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel

from voight import Voight, VoightError


def settings() -> "list[str]":
    """Returns the service, the key and the context. Without them the process ends with a line for each variable that is missing."""
    needed = {
        "VOIGHT_URL": "the address of the Voight service, as http://localhost:8080",
        "VOIGHT_API_KEY": "the secret key that registered the context",
        "VOIGHT_CONTEXT": "the quest's context, as spring_quest.01kanc5xt6f3vq0d9g8m2y7rwb",
    }
    missing = [name for name in needed if not os.environ.get(name)]
    for name in missing:
        print(f"{name} is not set: export it, it is {needed[name]}.", file=sys.stderr)
    if missing:
        sys.exit(2)
    return [os.environ[name] for name in needed]


app = FastAPI()
url, api_key, context_id = settings()
voight = Voight(url, api_key)
badges: set[str] = set()
"""Owners of the badge. In your service this is a table of a database."""

MIN_SCORE = 0.1
"""Lowest score that supports a human. Below it the checks of a wallet say nothing about its owner."""

DECISIONS = {
    "human": (200, "The badge is yours."),
    # Missing evidence: a bot that has not been checked looks the same, so the badge waits, and no visitor is rejected.
    "unknown": (202, "Thanks! Your claim is waiting for a review."),
    # Never reveal the verdict: the browser must not become an oracle.
    "bot": (403, "We could not complete this claim."),
}


class Claim(BaseModel):
    """Request of the page."""

    address: str = ""
    receipt: str | None = None


@app.get("/quest")
def quest() -> dict:
    """Returns the configuration of the page. The API key is not part of it."""
    return {"service": url, "contextId": context_id}


@app.post("/badges")
def claim(claim: Claim, response: Response) -> dict:
    """Handles a claim."""
    response.status_code, message = decide(claim)
    if response.status_code == 200:
        badges.add(claim.address.lower())
    return {"message": message}


@app.get("/badges")
def holders() -> list[str]:
    """Returns the owners of the badge."""
    return list(badges)


def decide(claim: Claim) -> tuple[int, str]:
    """Decides on a claim: the badge is for a visitor who completed a check for this wallet just now, and is a human."""
    try:
        found = voight.get_verdict(receipt=claim.receipt, eoa_address=claim.address, context_id=context_id)
    except VoightError as error:
        # The claim has no valid receipt or address: it is the visitor's fault. Everything else is the service's.
        if error.code.startswith("receipt_") or error.code == "invalid_argument":
            return 403, "Complete the check for this wallet, then claim again."
        print(f"no verdict: {error.code}: {error}", file=sys.stderr)
        return 503, "The quest is busy. Please try again in a minute."
    is_unsure = found.verdict == "human" and found.score < MIN_SCORE
    return DECISIONS["unknown" if is_unsure else found.verdict]


app.mount("/", StaticFiles(directory=os.environ.get("PAGE", "../html"), html=True))
