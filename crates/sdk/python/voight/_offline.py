"""Verification of receipts with the service's public keys, without a request for each receipt."""

import base64
import math
import threading
import time
from datetime import datetime, timezone
from typing import Any, Dict, Optional, Tuple

from . import _options as options
from ._call import Response, Steps, bad_answer, body_of, perform
from ._errors import VoightError
from ._steps import Calls
from ._verdict import Receipt, decode_receipt, parse_time, receipt_error, require_subject

_REFETCH = 30.0
"""Minimum time in seconds between two fetches that receipts with unknown keys cause."""
_MAX_AGE = 300.0
"""Maximum age of fetched keys in seconds, since a key may be retired."""
_RETIREMENT_MARGIN = 60.0
"""Seconds for which a retired key may still have signed: nodes learn of a rotation with a delay, and clocks differ."""

Keys = Dict[str, Tuple[bytes, float]]
"""Public keys by their id, each with the latest time of issue of its receipts, in seconds since the epoch."""


class Offline:
    """Verifier with its cached keys."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._lock = threading.Lock()
        self._keys: Keys = {}
        self._fetched_at = -math.inf

    def verify(self, *, receipt: Any, eoa_address: str, context_id: str) -> Steps[Receipt]:
        address, context = options.eoa_address(eoa_address), options.context_id(context_id)
        decoded = decode_receipt(receipt)
        claims = decoded.claims
        key: Optional[Tuple[bytes, float]] = None
        if decoded.header.get("alg") == "EdDSA" and decoded.header.get("typ") == "voight-receipt+jwt":
            key = yield from self._find(str(decoded.header.get("kid")))
        issued, expires = claims.get("iat"), claims.get("exp")
        if key is None or not _is_signed(key[0], decoded.signature, decoded.signed):
            raise receipt_error("forged")
        if not isinstance(issued, (int, float)) or issued > key[1]:
            raise receipt_error("forged")
        if not isinstance(expires, (int, float)) or time.time() >= expires:
            raise receipt_error("expired")
        require_subject(claims.get("context"), claims.get("address"), context, address)
        return Receipt(
            context_id=context,
            eoa_address=address,
            origin=str(claims.get("origin")),
            origin_allowlisted=claims.get("origin_allowlisted") is True,
            owned=claims.get("owned") is True,
            test=claims.get("test") is True,
            issued_at=datetime.fromtimestamp(issued, timezone.utc),
            expires_at=datetime.fromtimestamp(expires, timezone.utc),
        )

    def _find(self, kid: str) -> Steps[Optional[Tuple[bytes, float]]]:
        """Returns a key. An unknown key may be new, and old ones may be retired: both cause a fetch."""
        with self._lock:
            age = time.monotonic() - self._fetched_at
            is_due = age > (_MAX_AGE if kid in self._keys else _REFETCH)
        if is_due:
            try:
                keys = yield from self._fetch()
            except VoightError:
                # A failed fetch removes no keys, and is not repeated for each receipt.
                if kid not in self._keys:
                    raise
                keys = self._keys
                age = _MAX_AGE - _REFETCH
            else:
                age = 0.0
            with self._lock:
                self._keys, self._fetched_at = keys, time.monotonic() - age
        return self._keys.get(kid)

    def _fetch(self) -> Steps[Keys]:
        call = self._calls._call("getKeys")
        headers = {name: value for name, value in call.headers.items() if name != "x-api-key"}
        call = type(call)(call.operation, call.base_url, call.path, call.query, headers, None)

        def parse(reply: Response) -> Keys:
            body = body_of(reply)
            if not isinstance(body, dict) or not isinstance(body.get("keys"), list):
                raise bad_answer(reply, "sends another body")
            try:
                return dict(filter(None, (_key(jwk, index) for index, jwk in enumerate(body["keys"]))))
            except ValueError:
                raise bad_answer(reply, "sends another body") from None

        return (yield from perform(call, self._calls._deadline(), parse))


def _key(jwk: Any, index: int) -> Optional[Tuple[str, Tuple[bytes, float]]]:
    """Parses a key. The first key is the one in use; any other is valid for receipts that are dated before its retirement."""
    if not isinstance(jwk, dict) or jwk.get("crv") != "Ed25519":
        return None
    retired_at = jwk.get("retired_at")
    if retired_at is not None:
        until = parse_time(retired_at).timestamp() + _RETIREMENT_MARGIN
    else:
        # A key that was retired at an unknown time verifies nothing.
        until = math.inf if index == 0 else -math.inf
    x = str(jwk.get("x"))
    return str(jwk.get("kid")), (base64.urlsafe_b64decode(x + "=" * (-len(x) % 4)), until)


def _is_signed(key: bytes, signature: bytes, signed: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        message = "verify_receipt requires the package cryptography. Install voight[offline], or use get_verdict."
        raise VoightError("unsupported_runtime", message) from None
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    return True
