"""Requests to the service, repeated until one succeeds or the timeout expires.

A call is a generator: it yields requests and pauses, and receives responses. So the synchronous and the asynchronous client share
all rules, and differ in the sending alone.
"""

import json
import random
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Mapping, Optional, Tuple, TypeVar, Union

from ._errors import VoightError
from ._generated import ERRORS, Operation

T = TypeVar("T")

ATTEMPT_TIMEOUT = 4.0
"""Timeout of one attempt, in seconds."""
_FIRST_PAUSE = 0.25
"""First pause between two attempts, in seconds; each further pause is twice as long."""
_TEMPORARY = (408, 429, 502, 503, 504)
"""Statuses that are worth a retry if the response has no code of the error table, such as one of a proxy."""
_REJECTED = (408, 429)
"""Statuses with which a request is rejected before it is applied."""
_RETRYABLE = {code: is_retryable for _, code, is_retryable in ERRORS}


@dataclass(frozen=True)
class Request:
    """One attempt of a request."""

    method: str
    path: str
    query: Mapping[str, Any]
    headers: Mapping[str, str]
    content: Optional[bytes]
    deadline: float
    """End of the attempt by the monotonic clock."""


@dataclass(frozen=True)
class Response:
    """Response with its complete body. The names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class NoResponse:
    """Absence of a response, or of one in time."""

    cause: str
    is_connected: bool = True
    """False if no connection was established."""


@dataclass(frozen=True)
class Background:
    """Steps that run beside the call and outlive it."""

    steps: "Generator[Step, Reply, None]"


@dataclass(frozen=True)
class Wait:
    """Pause until another call has completed `event`, at most until `deadline` by the monotonic clock."""

    event: "Future[None]"
    deadline: float


Step = Union[Request, float, Background, Wait]
Reply = Union[Response, NoResponse, None]
Steps = Generator[Step, Reply, T]
"""Call: yields a request, a pause in seconds, or one of the steps above; receives the reply to a request."""


@dataclass(frozen=True)
class Deadline:
    """Timeout of a call, for all attempts together."""

    end: float
    attempt_timeout: float = ATTEMPT_TIMEOUT

    def of_attempt(self) -> float:
        """Returns the end of an attempt that begins now."""
        return min(self.end, time.monotonic() + self.attempt_timeout)


@dataclass(frozen=True)
class Call:
    """Request of an operation, for all attempts."""

    operation: Operation
    base_url: str
    path: str
    query: Mapping[str, Any]
    headers: Mapping[str, str]
    content: Optional[bytes]

    @property
    def name(self) -> str:
        return f"{self.operation.method} {self.operation.path}"


def perform(call: Call, deadline: Deadline, parse: Callable[[Response], T]) -> Steps[T]:
    """Sends a request, and repeats it after temporary errors until the deadline.

    A request of an operation without idempotency key is repeated only if a repetition changes nothing, or if the request was certainly
    not applied.
    """
    pause = _FIRST_PAUSE * (1 + random.random())
    while True:
        request = Request(
            call.operation.method, call.path, call.query, call.headers, call.content, deadline.of_attempt()
        )
        reply = yield request
        if isinstance(reply, Response):
            error, delay = _error(call, reply), None
            if error is None:
                return parse(reply)
            if _is_temporary(error.code, error.id, reply.status):
                delay = max(pause, error.retry_after or 0)
        else:
            message = (
                f"The service does not respond at {call.base_url}"
                f" ({reply.cause if reply else 'no reply'}). Is it running, and can this backend reach it?"
            )
            error, delay = VoightError("unreachable", message, retryable=True), pause
        if call.operation.retry == "if_unapplied" and error.retryable and not _is_unapplied(reply):
            raise _uncertain(error)
        if delay is None or time.monotonic() + delay >= deadline.end:
            raise error
        yield delay
        pause *= 2


def _is_unapplied(reply: Reply) -> bool:
    """Returns True if a request was certainly not applied: it was rejected, or no connection was established."""
    if isinstance(reply, Response):
        return reply.status in _REJECTED
    return reply is not None and not reply.is_connected


def _uncertain(error: VoightError) -> VoightError:
    """Returns the error of a change that is not repeated, because it may have been applied."""
    return VoightError(
        error.code,
        f"{error.message} The change may have been applied: read the state before you repeat the call.",
        id=error.id,
        status=error.status,
        retry_after=error.retry_after,
        request_id=error.request_id,
        remaining=error.remaining,
    )


def _is_temporary(code: str, id: str, status: int) -> bool:
    """Decides by the error table, or by the status for a proxy and for a code that the table does not have."""
    return _RETRYABLE[code] if id and code in _RETRYABLE else status in _TEMPORARY


def body_of(reply: Response) -> Any:
    """Returns the JSON of a response; None for another body."""
    if not reply.headers.get("content-type", "").startswith("application/json"):
        return None
    try:
        return json.loads(reply.content)
    except ValueError:
        return None


def bad_answer(reply: Response, action: str) -> VoightError:
    """Returns the error of a response that Voight never sends."""
    message = f"The server at base_url {action}, which Voight never does. Is base_url the origin of the service?"
    return VoightError("bad_answer", message, status=reply.status, request_id=reply.headers.get("x-request-id", ""))


def data_of(operation: Operation, reply: Response) -> Dict[str, Any]:
    """Returns `data` of a response after a check of its required members."""
    body = body_of(reply)
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        # The key set has no envelope.
        if isinstance(body, dict) and not operation.required:
            return body
        raise bad_answer(reply, "sends another body")
    for member in operation.required:
        if member not in data:
            message = f"The answer to {operation.method} {operation.path} has no `{member}`: {_OLDER}"
            raise VoightError(
                "incompatible", message, status=reply.status, request_id=reply.headers.get("x-request-id", "")
            )
    return data


_OLDER = "the service is older than this SDK. Upgrade the service."


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 < seconds < float("inf") else None


def _api_error(body: Any) -> Tuple[Optional[str], Dict[str, Any]]:
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        return error["code"].lower(), error
    return None, {}


def _error(call: Call, reply: Response) -> Optional[VoightError]:
    """Returns the error of a response; None for a success."""
    status = reply.status
    if status == 200:
        return None
    if status < 200 or 300 <= status < 400:
        return bad_answer(reply, "redirects to another address")
    code, error = _api_error(body_of(reply))
    occurrence: Dict[str, Any] = {
        "status": status,
        "retry_after": _retry_after(reply.headers),
        "request_id": reply.headers.get("x-request-id", ""),
    }
    if code is None:
        if status not in _TEMPORARY and status < 500:
            return bad_answer(reply, f"responds with {status} without JSON")
        message = f"The service, or a proxy in front of it, responds with {status}. Try again later."
        return VoightError("unavailable", message, retryable=True, **occurrence)
    if code == "not_found" and "{" not in call.operation.path:
        message = f"The service at {call.base_url} has no {call.name}: {_OLDER}"
        return VoightError("incompatible", message, id=str(error.get("id", "")), **occurrence)
    id = str(error.get("id", ""))
    retryable = _is_temporary(code, id, status) or status >= 500
    remaining = error.get("remaining")
    return VoightError(
        code,
        str(error.get("message", "")),
        id=id,
        retryable=retryable,
        remaining=remaining if isinstance(remaining, int) else None,
        **occurrence,
    )
