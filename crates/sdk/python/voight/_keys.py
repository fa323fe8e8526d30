"""Public keys of the service: fetched once for all callers, refreshed in the background, and kept while it is unreachable."""

import base64
import math
import re
import threading
import time
from concurrent.futures import Future
from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple

from ._call import Background, Response, Steps, Wait, bad_answer, body_of, perform
from ._errors import VoightError
from ._steps import Calls
from ._verdict import parse_time

_RETRY = 30.0
"""Minimum time in seconds between two fetches for unknown keys, and between a failed fetch and the next refresh."""
_MAX_AGE = 300.0
"""Maximum time in seconds between two refreshes, since a key may be retired; the service's `max-age` can shorten it."""
_LIFETIME = 3600.0
"""Time in seconds for which a key is used after the last set that lists it."""
_RETIREMENT_MARGIN = 60.0
"""Seconds for which a retired key may still have signed: nodes learn of a rotation with a delay, and clocks differ."""


class Key(NamedTuple):
    """Public key."""

    public: bytes
    until: float
    """Latest time of issue of its receipts, in seconds since the epoch."""
    seen_at: float
    """Time of the last set that lists it."""


Keys = Dict[str, Key]


class KeyCache:
    """Public keys by their id."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._lock = threading.Lock()
        self._keys: Keys = {}
        self._fetching: "Optional[Future[None]]" = None
        """Event that ends the fetch in progress."""
        self._failure: Optional[VoightError] = None
        """Error of the last fetch."""
        self._refresh_at = -math.inf
        self._search_at = -math.inf

    def find(self, kid: str) -> Steps[Optional[Key]]:
        """Returns a key; None if the service does not list it.

        A known key never waits for the network. An unknown one may be new, and waits for a fetch.
        """
        now = time.monotonic()
        with self._lock:
            self._keys = {id: key for id, key in self._keys.items() if now - key.seen_at <= _LIFETIME}
            known = self._keys.get(kid)
            is_idle = self._fetching is None
            is_search = known is None and (not is_idle or not self._keys or now >= self._search_at)
            if is_search and is_idle and self._keys:
                self._search_at = now + _RETRY
            is_start = is_idle and (is_search or known is not None and now >= self._refresh_at)
            if is_start:
                self._fetching = Future()
            fetching = self._fetching
        if is_start and fetching is not None:
            yield Background(self._fetch(fetching))
        if is_search and fetching is not None:
            deadline = self._calls._deadline().end
            yield Wait(fetching, deadline)
            if not fetching.done():
                message = f"The keys of the service at {self._calls.base_url} did not arrive in time."
                raise VoightError("unreachable", message, retryable=True)
        with self._lock:
            key = known or self._keys.get(kid)
            if key is None and self._failure is not None:
                raise self._failure.with_traceback(None)
            return key

    def _fetch(self, fetching: "Future[None]") -> Steps[None]:
        keys: Keys = {}
        age = _RETRY
        failure: Optional[VoightError] = VoightError("unreachable", "The client was closed.", retryable=True)
        try:
            keys, age = yield from self._request()
            failure = None
        except VoightError as error:
            failure = error
        finally:
            with self._lock:
                self._keys.update(keys)
                self._failure, self._refresh_at, self._fetching = failure, time.monotonic() + age, None
            fetching.set_result(None)

    def _request(self) -> Steps[Tuple[Keys, float]]:
        call = self._calls._call("getKeys")
        headers = {name: value for name, value in call.headers.items() if name != "x-api-key"}
        call = type(call)(call.operation, call.base_url, call.path, call.query, headers, None)

        def parse(reply: Response) -> Tuple[Keys, float]:
            body = body_of(reply)
            listed = body.get("keys") if isinstance(body, dict) else None
            jwks = listed if isinstance(listed, list) else []
            keys = dict(filter(None, (_key(jwk, index) for index, jwk in enumerate(jwks))))
            if not keys:
                raise bad_answer(reply, "sends no keys")
            return keys, _max_age(reply.headers)

        return (yield from perform(call, self._calls._deadline(), parse))


def _key(jwk: Any, index: int) -> Optional[Tuple[str, Key]]:
    """Parses a key. The first key is the one in use; any other is valid for receipts that are dated before its retirement."""
    if not isinstance(jwk, dict) or jwk.get("crv") != "Ed25519":
        return None
    retired_at = jwk.get("retired_at")
    x = str(jwk.get("x"))
    try:
        public = base64.urlsafe_b64decode(x + "=" * (-len(x) % 4))
        # A key that was retired at an unknown time verifies nothing.
        until = math.inf if index == 0 else -math.inf
        if retired_at is not None:
            until = parse_time(retired_at).timestamp() + _RETIREMENT_MARGIN
    except ValueError:
        return None
    return str(jwk.get("kid")), Key(public, until, time.monotonic())


def _max_age(headers: Mapping[str, str]) -> float:
    form = re.search(r"\bmax-age=(\d+)", headers.get("cache-control", ""))
    return min(float(form.group(1)), _MAX_AGE) if form else _MAX_AGE
