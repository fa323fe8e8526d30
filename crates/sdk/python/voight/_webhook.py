"""Verification of webhooks of the service: requests that are signed by Standard Webhooks 1.0."""

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _options as options
from ._errors import VoightError
from ._offline import is_signed
from ._verdict import parse_time

_TOLERANCE = 300.0
_TIMESTAMP = re.compile(r"[0-9]{1,12}")

_ADVICE = {
    "missing": "The request lacks a header of webhooks, so the service has not sent it. Reject it.",
    "forged": "The request is not signed with one of the keys. Reject it."
    " If the service has sent it, pass the current key of the endpoint, and the body as it was received.",
    "expired": "The request is older than the tolerance. Reject it. If all requests are, set the clock of this server.",
    "early": "The request is dated in the future. Reject it. If all requests are, set the clock of this server.",
    "malformed": "The request is signed, but its body is not an event of the service."
    " Read the documentation of its version.",
}


@dataclass(frozen=True)
class WebhookEvent:
    """Event of a verified request."""

    id: str
    """The same for all attempts of an event: ignore an id that was processed before."""
    type: str
    """Such as `verdict.flagged`."""
    timestamp: datetime
    """Time of the event."""
    data: Any


class _Key(NamedTuple):
    version: str
    bytes: bytes

    def verifies(self, signature: bytes, message: bytes) -> bool:
        if self.version == "v1":
            return hmac.compare_digest(hmac.new(self.bytes, message, hashlib.sha256).digest(), signature)
        return is_signed(self.bytes, signature, message)


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    keys: Union[str, Sequence[str]],
    *,
    now: Optional[float] = None,
    tolerance: float = _TOLERANCE,
) -> WebhookEvent:
    """Verifies a request to the platform's endpoint, and returns its event.

    `body` is the body as it was received, before it is parsed. `keys` are those of the endpoint, `whsec_…` or `whpk_…`, several during a
    rotation; `whpk_…` needs `voight[offline]`. `now` is the current time in seconds since the epoch, and `tolerance` its maximum
    difference from the time of the request.

    The service sends an event again until the endpoint answers with a status of 200 to 299, so one event may arrive several times.
    """
    texts = [keys] if isinstance(keys, str) else keys
    parsed_keys = [_parse_key(text) for text in texts]
    options.require("keys", bool(parsed_keys), "keys of the endpoint, whsec_… or whpk_…")
    payload = body.encode() if isinstance(body, str) else body
    options.require("body", isinstance(payload, bytes), "the body as it was received, text or bytes")
    id, timestamp, signatures = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    # A point in the id would make the parts of the message ambiguous.
    if "." in id or _TIMESTAMP.fullmatch(timestamp) is None:
        raise _error("forged")
    age = (time.time() if now is None else now) - int(timestamp)
    if abs(age) > tolerance:
        raise _error("expired" if age > 0 else "early")
    if not _is_signed(signatures, f"{id}.{timestamp}.".encode() + payload, parsed_keys):
        raise _error("forged")
    return _parse_event(id, payload)


def _error(reason: str) -> VoightError:
    return VoightError(f"webhook_{reason}", _ADVICE[reason])


def _decode(text: str) -> bytes:
    """Decodes base64; empty for another text."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


def _parse_key(text: Any) -> _Key:
    prefix, _, encoded = str(text).partition("_")
    key = _Key("v1" if prefix == "whsec" else "v1a", _decode(encoded))
    length = len(key.bytes)
    is_valid = prefix == "whsec" and 24 <= length <= 64 or prefix == "whpk" and length == 32
    options.require("keys", is_valid, "keys of the endpoint, whsec_… or whpk_…")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = next((value for key, value in headers.items() if key.lower() == name), "")
    if not value:
        raise _error("missing")
    return value


def _is_signed(signatures: str, message: bytes, keys: List[_Key]) -> bool:
    """Returns True if one of the signatures is by one of the keys."""
    for entry in signatures.split(" "):
        version, _, encoded = entry.partition(",")
        signature = _decode(encoded)
        # Other versions are skipped: a newer service may send them as well.
        if any(key.version == version and key.verifies(signature, message) for key in keys):
            return True
    return False


def _parse_event(id: str, body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body)
        kind, timestamp, data = event["type"], parse_time(event["timestamp"]), event["data"]
    except (ValueError, KeyError, TypeError):
        raise _error("malformed") from None
    if not isinstance(kind, str):
        raise _error("malformed")
    return WebhookEvent(id, kind, timestamp, data)
