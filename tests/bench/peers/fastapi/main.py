"""Metered lookups with FastAPI and PostgreSQL. A lookup is answered once its row is committed."""

import hmac
import os
import uuid
from contextlib import asynccontextmanager
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Header, HTTPException, Query, Response
from pydantic import BaseModel, Field

from books import Books

PEPPER = os.environ["PEPPER"].encode()


def digest(key: str) -> bytes:
    """Returns the stored form of a key."""
    return hmac.digest(PEPPER, key.encode(), "sha256")


@asynccontextmanager
async def lifespan(app: FastAPI):
    """Opens the storage, and adds the one client."""
    with open(os.environ["SCHEMA"], encoding="utf-8") as schema:
        app.state.books = await Books.open(os.environ["DATABASE_URL"], schema.read())
    await app.state.books.add_client(digest(os.environ["KEY"]))
    yield
    await app.state.books.close()


app = FastAPI(lifespan=lifespan)

Key = Annotated[str, Header(alias="x-api-key")]
Address = Annotated[str, Query(pattern="^0x[0-9a-fA-F]{40}$")]


class Title(BaseModel):
    """Context to register."""

    context_title: Annotated[str, Field(pattern="^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$")]


class Verdicts(BaseModel):
    """Verdicts of a check on these addresses."""

    context_id: str
    addresses: list[str]
    is_bot: bool
    score: float


@app.get("/api/v1/users/eoa")
async def look_up(
    response: Response,
    x_api_key: Key,
    eoa_address: Address,
    context_id: str,
    idempotency_key: Annotated[str | None, Header(max_length=255)] = None,
) -> dict:
    """Looks up the verdict on an address in a context."""
    books, address = app.state.books, eoa_address.lower()
    caller = known(await books.look(digest(x_api_key), context_id, address))
    if caller["context_id"] is None:
        raise HTTPException(404, "This context is not yours.")
    is_bot, score = caller["is_bot"] or False, caller["score"] or 0.0
    row = await books.record(caller["client_id"], idempotency_key, context_id, address, is_bot, score)
    row = row or await books.first(caller["client_id"], idempotency_key)
    if (row["context_id"], row["eoa_address"]) != (context_id, address):
        raise HTTPException(422, "This Idempotency-Key was used with other parameters.")
    response.headers["voight-meter"] = f"seq={row['seq']}"
    return {"success": True, "data": {"isBot": row["is_bot"], "confidence": {"score": row["score"]}}}


@app.post("/api/v1/register/context_id")
async def register(x_api_key: Key, title: Title) -> dict:
    """Registers a context for the caller."""
    context = f"{title.context_title}.{uuid.uuid4()}"
    known(await app.state.books.register(digest(x_api_key), context))
    return {"success": True, "data": {"context_id": context}}


@app.post("/api/v1/verdicts")
async def decide(x_api_key: Key, found: Verdicts) -> dict:
    """Stores the verdicts of a check."""
    addresses = [address.lower() for address in found.addresses]
    known(await app.state.books.decide(digest(x_api_key), found.context_id, addresses, found.is_bot, found.score))
    return {"success": True}


@app.get("/api/v1/usage")
async def usage(x_api_key: Key) -> dict:
    """Returns the number of billed lookups."""
    return {"success": True, "data": {"billable": known(await app.state.books.count(digest(x_api_key)))["rows"]}}


def known(caller):
    """Returns the client of the key, or rejects an unknown key."""
    if caller is None:
        raise HTTPException(401, "This API key is not known.")
    return caller


if __name__ == "__main__":
    port = int(os.environ["PORT"])
    uvicorn.run(app, port=port, loop="uvloop", http="httptools", access_log=False, log_level="warning")
