"""Receipts and verdicts."""

import base64
import json
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, Literal, NamedTuple, Optional

from ._errors import VoightError

_MAX_LENGTH = 2048
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)")
_FORMAT = re.compile(r"[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+")

_ADVICE = {
    "missing": "The request has no receipt, so no check was completed for it."
    " Reject it, or let the visitor complete a check.",
    "forged": "This receipt is not signed by the service, or belongs to a context of another API key. Reject it.",
    "used": "This receipt was redeemed before. Reject it, or let the visitor complete another check."
    " To repeat the call for the same claim, pass the same idempotency_key.",
    "expired": "This receipt is older than ten minutes. Let the visitor complete another check.",
    "mismatch": "This receipt is for another address or context than the claim."
    " Reject it, or let the visitor complete a check with this wallet.",
}


@dataclass(frozen=True)
class Receipt:
    """Content of a receipt, which never includes findings."""

    context_id: str
    eoa_address: str
    """In lower case."""
    origin: str
    """Origin of the page that hosted the check."""
    origin_allowlisted: bool
    """True if that origin is registered for the context."""
    owned: bool
    """True if wallet ownership was proven."""
    test: bool
    """True for a receipt of the sandbox."""
    issued_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class Lookup:
    """Answer to a lookup."""

    verdict: Literal["human", "bot", "unknown"]
    """`unknown`: no evidence for either, the score is 0."""
    score: float
    """Certainty of the verdict: high near 1, low near 0."""


@dataclass(frozen=True)
class Verdict:
    """Verdict on an address whose check was completed."""

    verdict: Literal["human", "bot", "unknown"]
    score: float
    receipt: Optional[Receipt]
    """Redeemed receipt; None if the service was unavailable."""
    failed_open: bool = False
    """True if the service was unavailable and `fail_open` let the visitor pass."""
    reason: Optional[VoightError] = None
    """Reason why the service was unavailable."""


class DecodedReceipt(NamedTuple):
    """Receipt whose signature is not verified."""

    header: Dict[str, Any]
    claims: Dict[str, Any]
    signed: bytes
    signature: bytes


def receipt_error(reason: str, status: int = 0) -> VoightError:
    """Returns the error of an invalid receipt."""
    return VoightError(f"receipt_{reason}", _ADVICE[reason], status=status)


def decode_receipt(token: Any) -> DecodedReceipt:
    """Decodes a receipt without verifying it."""
    if not isinstance(token, str) or token == "":
        raise receipt_error("missing")
    if len(token) > _MAX_LENGTH or _FORMAT.fullmatch(token) is None:
        raise receipt_error("forged")
    header, payload, signature = token.split(".")
    try:
        decoded = DecodedReceipt(
            json.loads(_decode(header)),
            json.loads(_decode(payload)),
            f"{header}.{payload}".encode(),
            _decode(signature),
        )
    except ValueError:
        raise receipt_error("forged") from None
    if not isinstance(decoded.header, dict) or not isinstance(decoded.claims, dict):
        raise receipt_error("forged")
    return decoded


def _decode(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def require_subject(context_id: Any, address: Any, expected_context: str, expected_address: str) -> None:
    """Rejects a receipt for another subject than the claim's."""
    if str(address).lower() != expected_address or context_id != expected_context:
        raise receipt_error("mismatch")


def parse_time(text: Any) -> datetime:
    """Parses a time of RFC 3339. Python 3.9 accepts neither `Z` nor a fraction of other than three or six digits."""
    form = _TIME.fullmatch(str(text))
    if form is None:
        raise ValueError("the text is not a time")
    seconds, fraction, zone = form.groups()
    digits = (fraction or "")[:6].ljust(6, "0")
    return datetime.fromisoformat(f"{seconds}.{digits}{zone.replace('Z', '+00:00')}").astimezone(timezone.utc)


def redeemed(data: Dict[str, Any]) -> Receipt:
    """Returns the content of a redeemed receipt; raises ValueError or KeyError for another body."""
    return Receipt(
        context_id=data["context_id"],
        eoa_address=str(data["eoa_address"]).lower(),
        origin=data["origin"],
        origin_allowlisted=data["origin_allowlisted"],
        owned=data["owned"],
        test=data["test"],
        issued_at=parse_time(data["issued_at"]),
        expires_at=parse_time(data["expires_at"]),
    )


def lookup(data: Dict[str, Any]) -> Optional[Lookup]:
    """Returns the answer to a lookup; None for another body."""
    confidence = data.get("confidence")
    score = confidence.get("score") if isinstance(confidence, dict) else None
    is_bot = data.get("isBot")
    if not isinstance(is_bot, bool) or not isinstance(score, (int, float)) or isinstance(score, bool):
        return None
    return Lookup("bot" if is_bot else "unknown" if score == 0 else "human", float(score))
