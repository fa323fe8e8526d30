"""The back end of a quest. It serves the page of `../html`, and decides on its claims."""

import os

from fastapi import FastAPI, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel

from voight import Refused, Unavailable, Voight

app = FastAPI()
voight = Voight.from_environment()
badges: set[str] = set()
"""Who has the badge. Yours is a table of your database."""

DECISIONS = {
    "human": (200, "The badge is yours."),
    "unknown": (202, "Thanks! Your claim is waiting for a review."),
    # Never tell what was found: the browser is not to be an oracle.
    "bot": (403, "We could not complete this claim."),
}


class Claim(BaseModel):
    """What the page sends."""

    address: str = ""
    receipt: str | None = None


@app.get("/quest")
def quest() -> dict:
    """What the page needs to know. The API key is not among it."""
    return {"service": voight.url, "contextId": voight.context_id}


@app.post("/badges")
def claim(claim: Claim, response: Response) -> dict:
    """A claim."""
    response.status_code, message = decide(claim)
    if response.status_code == 200:
        badges.add(claim.address.lower())
    return {"message": message}


@app.get("/badges")
def holders() -> list[str]:
    """Who has one."""
    return list(badges)


def decide(claim: Claim) -> tuple[int, str]:
    """Who gets the badge: whoever completed a check for this wallet just now, and is no bot."""
    try:
        return DECISIONS[voight.verdict(claim.receipt or "", claim.address)]
    except Refused:
        return 403, "Complete the check for this wallet, then claim again."
    except Unavailable:
        return 503, "The quest is busy. Please try again in a minute."


app.mount("/", StaticFiles(directory=os.environ.get("PAGE", "../html"), html=True))
