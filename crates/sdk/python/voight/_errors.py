"""Error of a call."""

from typing import Optional


class VoightError(Exception):
    """Error of a call that returns no result. The text is advice for developers, and never has the API key.

    It is raised without a cause, since the errors of the HTTP library refer to the headers of the request.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        id: str = "",
        status: int = 0,
        retryable: bool = False,
        retry_after: Optional[float] = None,
        request_id: str = "",
        remaining: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """Code for programs: a code of the API in lower case, or one of the SDK."""
        self.message = message
        self.id = id
        """Id of the cause in the error table; empty for an error of the SDK."""
        self.status = status
        """HTTP status; 0 if there was no response."""
        self.retryable = retryable
        """True if the same call can succeed later."""
        self.retry_after = retry_after
        """Seconds until a retry can succeed, as in the header `Retry-After`."""
        self.request_id = request_id
        """`x-request-id` of the response, by which the operator finds it in the log."""
        self.remaining = remaining
        """Number of lookups that a cap still allows, with the code `quota_exceeded` of a batch or a quote."""

    @property
    def outage(self) -> bool:
        """True if the service could not answer. `fail_open` covers these errors only."""
        return self.code == "unreachable" or self.status in (402, 429) or self.status >= 500

    def __repr__(self) -> str:
        return f"VoightError(code={self.code!r}, status={self.status}, message={self.message!r})"
