"""Validation of the caller's options before any request, with errors that name the option."""

import re
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from ._errors import VoightError

_ADDRESS = re.compile(r"0x[0-9a-f]{40}")
_KEY = re.compile(r"vgt_[0-9A-Za-z_]+")
_IDEMPOTENCY_KEY = re.compile(r"[0-9A-Za-z_.:-]{1,255}")
MAX_BATCH = 1000


def require(name: str, is_valid: bool, expected: str) -> None:
    """Rejects an invalid option."""
    if not is_valid:
        raise VoightError("invalid_argument", f"{name} must be {expected}.")


def origin(base_url: Any) -> str:
    """Returns the origin of the service."""
    try:
        parts = urlsplit(base_url if isinstance(base_url, str) else "")
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_valid = False
    require("base_url", is_valid, "the origin of the service, such as https://voight.example")
    return f"{parts.scheme}://{parts.netloc}"


def api_key(value: Any) -> str:
    """Returns the API key."""
    is_valid = isinstance(value, str) and _KEY.fullmatch(value) is not None
    require("api_key", is_valid, "an API key, vgt_live_… or vgt_test_…")
    return str(value)


def timeout(value: Any) -> float:
    """Returns the timeout in seconds."""
    is_valid = isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
    require("timeout", is_valid, "a number of seconds above 0")
    return float(value)


def eoa_address(value: Any) -> str:
    """Returns the address in lower case."""
    address = value.lower() if isinstance(value, str) else ""
    require("eoa_address", _ADDRESS.fullmatch(address) is not None, "0x followed by 40 hexadecimal digits")
    return address


def text(name: str, value: Any, expected: str) -> str:
    """Returns a text that must not be empty."""
    require(name, isinstance(value, str) and value != "", expected)
    return str(value)


def context_id(value: Any) -> str:
    """Returns the id of a context."""
    return text("context_id", value, "the id of a context that was registered")


def idempotency_key(value: Any) -> str:
    """Returns the key, or a new one. A key derived from a receipt would let it be redeemed twice."""
    key = str(uuid4()) if value is None else value
    is_valid = isinstance(key, str) and _IDEMPOTENCY_KEY.fullmatch(key) is not None
    require("idempotency_key", is_valid, "at most 255 letters, digits, '_', '.', ':' or '-'")
    return str(key)


def batch(addresses: Any) -> "list[str]":
    """Returns the addresses of a batch."""
    is_list = isinstance(addresses, (list, tuple))
    is_valid = is_list and 0 < len(addresses) <= MAX_BATCH and all(isinstance(one, str) for one in addresses)
    require("eoa_addresses", is_valid, f"a list of 1 to {MAX_BATCH} addresses")
    return list(addresses)
