"""Verification of receipts with the service's public keys, without a request for each receipt."""

import time
from datetime import datetime, timezone
from typing import Any, Optional

from . import _options as options
from ._call import Steps
from ._errors import VoightError
from ._keys import Key, KeyCache
from ._steps import Calls
from ._verdict import Receipt, decode_receipt, receipt_error, require_subject


class Offline:
    """Verifier with its cached keys."""

    def __init__(self, calls: Calls) -> None:
        self._keys = KeyCache(calls)

    def verify(self, *, receipt: Any, eoa_address: str, context_id: str) -> Steps[Receipt]:
        address, context = options.eoa_address(eoa_address), options.context_id(context_id)
        decoded = decode_receipt(receipt)
        claims = decoded.claims
        key: Optional[Key] = None
        if decoded.header.get("alg") == "EdDSA" and decoded.header.get("typ") == "voight-receipt+jwt":
            key = yield from self._keys.find(str(decoded.header.get("kid")))
        issued, expires = claims.get("iat"), claims.get("exp")
        if key is None or not is_signed(key.public, decoded.signature, decoded.signed):
            raise receipt_error("forged")
        if not isinstance(issued, (int, float)) or issued > key.until:
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


def is_signed(key: bytes, signature: bytes, signed: bytes) -> bool:
    """Returns True for an Ed25519 signature by this public key."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        message = "Signatures by Ed25519 require the package cryptography. Install voight[offline]."
        raise VoightError("unsupported_runtime", message) from None
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    return True
