"""The two calls that decide on a claim: redeem the receipt, then look the address up."""

import os
import sys
import time
import uuid
from dataclasses import dataclass

import httpx

ATTEMPTS = 3
BUSY = {429, 500, 502, 503, 504}


class Refused(Exception):
    """The receipt is missing, used, expired, forged, or for another wallet or quest."""


class Unavailable(Exception):
    """The service did not answer, or would not. A claim that nobody could judge is not granted."""


@dataclass(frozen=True)
class Voight:
    """A quest as the service knows it."""

    url: str
    api_key: str
    context_id: str

    @classmethod
    def from_environment(cls) -> "Voight":
        """Reads the configuration; without it the process ends with a line for each variable that is missing."""
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
        url, api_key, context_id = (os.environ[name] for name in needed)
        return cls(url.rstrip("/"), api_key, context_id)

    def verdict(self, receipt: str, address: str) -> str:
        """Whether a wallet whose check ended in this receipt is a `human`, a `bot` or `unknown`."""
        redeemed = self._ask("POST", "/api/v1/receipts/verify", json={"receipt": receipt})
        same = redeemed.get("eoa_address", "").lower() == address.lower() and redeemed.get("context_id") == self.context_id
        if redeemed["status"] != "valid" or not same:
            raise Refused
        found = self._ask("GET", "/api/v1/users/eoa", params={"eoa_address": address, "context_id": self.context_id})
        if found["isBot"]:
            return "bot"
        # No certainty at all is no evidence at all.
        return "human" if found["confidence"]["score"] > 0 else "unknown"

    def _ask(self, method: str, path: str, **what) -> dict:
        """One question. It is repeated under one idempotency key, so that a lost answer costs no receipt and no lookup."""
        headers = {"x-api-key": self.api_key, "idempotency-key": str(uuid.uuid4())}
        for attempt in range(ATTEMPTS):
            time.sleep(attempt)
            try:
                answer = httpx.request(method, self.url + path, headers=headers, timeout=5, **what)
            except httpx.TransportError:
                continue
            if answer.status_code in (400, 413):
                raise Refused
            if answer.status_code not in BUSY:
                return answer.raise_for_status().json()["data"]
        raise Unavailable
