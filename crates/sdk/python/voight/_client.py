"""Clients, which send the requests of the calls with httpx."""

import asyncio
import threading
import time
from concurrent import futures
from typing import Any, Iterable, List, Optional, Set, TypeVar, Union

import httpx

from ._call import Background, NoResponse, Reply, Request, Response, Steps, Wait
from ._generated import (
    BatchLookupResponse,
    LedgerHead,
    LookupDetailResponse,
    Quote,
    SignedLedgerHead,
    SignedManifest,
    Snapshot,
)
from ._offline import Offline
from ._steps import SNAPSHOT_TIMEOUT, TRANSFER_TIMEOUT, Calls
from ._verdict import Lookup, Receipt, Verdict

T = TypeVar("T")

TIMEOUT = 10.0


def _arguments(base_url: str, request: Request) -> Any:
    left = max(0.001, request.deadline - time.monotonic())
    return {
        "method": request.method,
        "url": base_url + request.path,
        "params": dict(request.query),
        "headers": dict(request.headers),
        "content": request.content,
        "timeout": left,
        # A redirect would send the key to another host.
        "follow_redirects": False,
    }


def _late(request: Request) -> bool:
    return time.monotonic() > request.deadline


def _response(response: httpx.Response, chunks: List[bytes]) -> Response:
    return Response(response.status_code, response.headers, b"".join(chunks))


def _no_response(error: httpx.RequestError) -> NoResponse:
    is_connected = not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    return NoResponse(type(error).__name__, is_connected)


def _left(step: Wait) -> float:
    return max(0.0, step.deadline - time.monotonic())


class Voight:
    """Client of a Voight service. It may be used by several threads.

    `api_key` is a secret key with the scope `lookup:read`. `timeout` is in seconds, for all attempts of a call together. `http` is an
    httpx client of your own, for example with a proxy; `close` leaves it open. Every method raises `VoightError`.
    """

    def __init__(
        self, base_url: str, api_key: str, *, timeout: float = TIMEOUT, http: Optional[httpx.Client] = None
    ) -> None:
        self._calls = Calls(base_url, api_key, timeout)
        self._offline = Offline(self._calls)
        self._owns_http = http is None
        self._http = http or httpx.Client()

    def __repr__(self) -> str:
        return f"Voight({self._calls.base_url!r})"

    def __enter__(self) -> "Voight":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def _send(self, request: Request) -> Reply:
        try:
            with self._http.stream(**_arguments(self._calls.base_url, request)) as response:
                chunks = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if _late(request):
                        return NoResponse("timeout")
                return _response(response, chunks)
        except httpx.RequestError as error:
            return _no_response(error)

    def _run(self, steps: Steps[T]) -> T:
        reply: Reply = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if isinstance(step, Request):
                reply = self._send(step)
            elif isinstance(step, Background):
                threading.Thread(target=self._run_beside, args=(step.steps,), daemon=True).start()
            elif isinstance(step, Wait):
                futures.wait([step.event], _left(step))
            else:
                time.sleep(step)

    def _run_beside(self, steps: Steps[None]) -> None:
        try:
            self._run(steps)
        except RuntimeError:
            # The client was closed meanwhile.
            pass
        finally:
            steps.close()

    def get_verdict(
        self,
        *,
        receipt: Any,
        eoa_address: str,
        context_id: str,
        idempotency_key: Optional[str] = None,
        fail_open: bool = False,
    ) -> Verdict:
        """Redeems a receipt, then looks up the verdict, which is billed.

        `receipt` is the value that the page sent, not validated; `eoa_address` is the claiming address, as your back end knows it.
        `idempotency_key` names the claim if the call may be repeated: the same receipt is accepted again, and nothing is billed twice.
        `fail_open` returns `unknown` instead of raising while the service is unavailable, which lets bots through.
        """
        return self._run(
            self._calls.get_verdict(
                receipt=receipt,
                eoa_address=eoa_address,
                context_id=context_id,
                idempotency_key=idempotency_key,
                fail_open=fail_open,
            )
        )

    def look_up(self, *, eoa_address: str, context_id: str, idempotency_key: Optional[str] = None) -> Lookup:
        """Looks up an address, which is billed."""
        return self._run(
            self._calls.look_up(eoa_address=eoa_address, context_id=context_id, idempotency_key=idempotency_key)
        )

    def look_up_detail(
        self, *, eoa_address: str, context_id: str, idempotency_key: Optional[str] = None
    ) -> LookupDetailResponse:
        """Looks up an address with the basis of the answer; billed as a plain lookup."""
        return self._run(
            self._calls.look_up_detail(eoa_address=eoa_address, context_id=context_id, idempotency_key=idempotency_key)
        )

    def look_up_batch(
        self, *, eoa_addresses: List[str], context_id: str, idempotency_key: Optional[str] = None
    ) -> BatchLookupResponse:
        """Looks up 1 to 1,000 addresses; each distinct valid one is billed as a plain lookup."""
        return self._run(
            self._calls.look_up_batch(
                eoa_addresses=eoa_addresses, context_id=context_id, idempotency_key=idempotency_key
            )
        )

    def register_context(self, *, title: str, idempotency_key: Optional[str] = None) -> str:
        """Registers a context, and returns its id."""
        return self._run(self._calls.register_context(title=title, idempotency_key=idempotency_key))

    def create_quote(self, *, context_id: str, units: int) -> Quote:
        """Estimates the cost of the next lookups. Nothing is recorded, billed or reserved."""
        return self._run(self._calls.create_quote(context_id=context_id, units=units))

    def ledger_head(self, *, saved: Optional[LedgerHead] = None) -> SignedLedgerHead:
        """Returns the signed head of the ledger, to be saved by the caller.

        Raises `ledger_mismatch` if the ledger contradicts `saved`, a head of an earlier call.
        """
        return self._run(self._calls.ledger_head(saved=saved))

    def take_snapshot(
        self,
        *,
        context_id: str,
        idempotency_key: str,
        addresses: Union[str, bytes, None] = None,
        content_type: str = "text/csv",
        address_column: Union[str, int, None] = None,
        amount_column: Union[str, int, None] = None,
        no_amounts: bool = False,
        unit: Optional[str] = None,
        decimals: Optional[int] = None,
        dry_run: bool = False,
        amount: Union[int, str, None] = None,
        include: Iterable[str] = (),
        timeout: float = SNAPSHOT_TIMEOUT,
    ) -> Snapshot:
        """Creates a snapshot, uploads its addresses, and waits until the draft is complete.

        `addresses` is a file with a column `address` and perhaps `amount`, of the media type `content_type`: `text/csv`,
        `application/x-ndjson`, `application/vnd.apache.parquet`, or `application/json` for a Merkle tree dump. Without it, all
        addresses with a verdict in the context are taken. `address_column` and `amount_column` state a column by its name or
        number from 1 on if its name is no known one. A file with amounts needs `unit` (`base` or `tokens`) or `decimals`, which
        alone says that they are tokens; `no_amounts` reads none. `dry_run` returns the snapshot with its `summary`: nothing is
        looked up or billed, and a call without it continues.
        A repeated call with the same `idempotency_key` continues the same snapshot. Raises `snapshot_paused` while a cap or a
        suspension stops the job.
        """
        return self._run(
            self._calls.take_snapshot(
                context_id=context_id,
                idempotency_key=idempotency_key,
                addresses=addresses,
                content_type=content_type,
                address_column=address_column,
                amount_column=amount_column,
                no_amounts=no_amounts,
                unit=unit,
                decimals=decimals,
                dry_run=dry_run,
                amount=amount,
                include=include,
                timeout=timeout,
            )
        )

    def finalize_snapshot(self, id: str, *, timeout: float = SNAPSHOT_TIMEOUT) -> Snapshot:
        """Reads the verdicts of a draft again, and waits until the snapshot is final."""
        return self._run(self._calls.finalize_snapshot(id, timeout=timeout))

    def download_snapshot(
        self, id: str, *, format: str, decimals: Optional[int] = None, timeout: float = TRANSFER_TIMEOUT
    ) -> bytes:
        """Returns a file of a snapshot, compared with the SHA-256 in its ETag."""
        return self._run(self._calls.download_snapshot(id, format=format, decimals=decimals, timeout=timeout))

    def snapshot_manifest(self, id: str, *, format: str, decimals: Optional[int] = None) -> SignedManifest:
        """Returns the signed manifest of a file of a snapshot."""
        return self._run(self._calls.snapshot_manifest(id, format=format, decimals=decimals))

    def verify_receipt(self, *, receipt: Any, eoa_address: str, context_id: str) -> Receipt:
        """Verifies a receipt by its signature alone; requires the extra `offline`.

        It does not detect that a receipt was used before: use `get_verdict` for that and for the verdict.
        """
        return self._run(self._offline.verify(receipt=receipt, eoa_address=eoa_address, context_id=context_id))

    def call(self, operation: str, **request: Any) -> Any:
        """Calls an operation of the API by its id, and returns `data` of the response.

        `request` may contain `path` and `query` (parameters), `body` (JSON) and `idempotency_key`.
        """
        return self._run(self._calls.call(operation, **request))

    def call_raw(self, operation: str, **request: Any) -> bytes:
        """Calls an operation like `call`, and returns the body of the response."""
        return self._run(self._calls.call_raw(operation, **request))


class AsyncVoight:
    """Client of a Voight service for asyncio, with the methods and arguments of `Voight`."""

    def __init__(
        self, base_url: str, api_key: str, *, timeout: float = TIMEOUT, http: Optional[httpx.AsyncClient] = None
    ) -> None:
        self._calls = Calls(base_url, api_key, timeout)
        self._offline = Offline(self._calls)
        self._owns_http = http is None
        self._http = http or httpx.AsyncClient()
        self._tasks: Set["asyncio.Task[None]"] = set()

    def __repr__(self) -> str:
        return f"AsyncVoight({self._calls.base_url!r})"

    async def __aenter__(self) -> "AsyncVoight":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        for task in self._tasks:
            task.cancel()
        if self._owns_http:
            await self._http.aclose()

    async def _send(self, request: Request) -> Reply:
        try:
            async with self._http.stream(**_arguments(self._calls.base_url, request)) as response:
                chunks = []
                async for chunk in response.aiter_bytes():
                    chunks.append(chunk)
                    if _late(request):
                        return NoResponse("timeout")
                return _response(response, chunks)
        except httpx.RequestError as error:
            return _no_response(error)

    async def _run(self, steps: Steps[T]) -> T:
        reply: Reply = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if isinstance(step, Request):
                reply = await self._send(step)
            elif isinstance(step, Background):
                task = asyncio.create_task(self._run_beside(step.steps))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            elif isinstance(step, Wait):
                await asyncio.wait([asyncio.wrap_future(step.event)], timeout=_left(step))
            else:
                await asyncio.sleep(step)

    async def _run_beside(self, steps: Steps[None]) -> None:
        try:
            await self._run(steps)
        except RuntimeError:
            # The client was closed meanwhile.
            pass
        finally:
            steps.close()

    async def get_verdict(
        self,
        *,
        receipt: Any,
        eoa_address: str,
        context_id: str,
        idempotency_key: Optional[str] = None,
        fail_open: bool = False,
    ) -> Verdict:
        """See `Voight.get_verdict`."""
        return await self._run(
            self._calls.get_verdict(
                receipt=receipt,
                eoa_address=eoa_address,
                context_id=context_id,
                idempotency_key=idempotency_key,
                fail_open=fail_open,
            )
        )

    async def look_up(self, *, eoa_address: str, context_id: str, idempotency_key: Optional[str] = None) -> Lookup:
        """See `Voight.look_up`."""
        return await self._run(
            self._calls.look_up(eoa_address=eoa_address, context_id=context_id, idempotency_key=idempotency_key)
        )

    async def look_up_detail(
        self, *, eoa_address: str, context_id: str, idempotency_key: Optional[str] = None
    ) -> LookupDetailResponse:
        """See `Voight.look_up_detail`."""
        return await self._run(
            self._calls.look_up_detail(eoa_address=eoa_address, context_id=context_id, idempotency_key=idempotency_key)
        )

    async def look_up_batch(
        self, *, eoa_addresses: List[str], context_id: str, idempotency_key: Optional[str] = None
    ) -> BatchLookupResponse:
        """See `Voight.look_up_batch`."""
        return await self._run(
            self._calls.look_up_batch(
                eoa_addresses=eoa_addresses, context_id=context_id, idempotency_key=idempotency_key
            )
        )

    async def register_context(self, *, title: str, idempotency_key: Optional[str] = None) -> str:
        """See `Voight.register_context`."""
        return await self._run(self._calls.register_context(title=title, idempotency_key=idempotency_key))

    async def create_quote(self, *, context_id: str, units: int) -> Quote:
        """See `Voight.create_quote`."""
        return await self._run(self._calls.create_quote(context_id=context_id, units=units))

    async def ledger_head(self, *, saved: Optional[LedgerHead] = None) -> SignedLedgerHead:
        """See `Voight.ledger_head`."""
        return await self._run(self._calls.ledger_head(saved=saved))

    async def take_snapshot(
        self,
        *,
        context_id: str,
        idempotency_key: str,
        addresses: Union[str, bytes, None] = None,
        content_type: str = "text/csv",
        address_column: Union[str, int, None] = None,
        amount_column: Union[str, int, None] = None,
        no_amounts: bool = False,
        unit: Optional[str] = None,
        decimals: Optional[int] = None,
        dry_run: bool = False,
        amount: Union[int, str, None] = None,
        include: Iterable[str] = (),
        timeout: float = SNAPSHOT_TIMEOUT,
    ) -> Snapshot:
        """See `Voight.take_snapshot`."""
        return await self._run(
            self._calls.take_snapshot(
                context_id=context_id,
                idempotency_key=idempotency_key,
                addresses=addresses,
                content_type=content_type,
                address_column=address_column,
                amount_column=amount_column,
                no_amounts=no_amounts,
                unit=unit,
                decimals=decimals,
                dry_run=dry_run,
                amount=amount,
                include=include,
                timeout=timeout,
            )
        )

    async def finalize_snapshot(self, id: str, *, timeout: float = SNAPSHOT_TIMEOUT) -> Snapshot:
        """See `Voight.finalize_snapshot`."""
        return await self._run(self._calls.finalize_snapshot(id, timeout=timeout))

    async def download_snapshot(
        self, id: str, *, format: str, decimals: Optional[int] = None, timeout: float = TRANSFER_TIMEOUT
    ) -> bytes:
        """See `Voight.download_snapshot`."""
        return await self._run(self._calls.download_snapshot(id, format=format, decimals=decimals, timeout=timeout))

    async def snapshot_manifest(self, id: str, *, format: str, decimals: Optional[int] = None) -> SignedManifest:
        """See `Voight.snapshot_manifest`."""
        return await self._run(self._calls.snapshot_manifest(id, format=format, decimals=decimals))

    async def verify_receipt(self, *, receipt: Any, eoa_address: str, context_id: str) -> Receipt:
        """See `Voight.verify_receipt`."""
        return await self._run(self._offline.verify(receipt=receipt, eoa_address=eoa_address, context_id=context_id))

    async def call(self, operation: str, **request: Any) -> Any:
        """See `Voight.call`."""
        return await self._run(self._calls.call(operation, **request))

    async def call_raw(self, operation: str, **request: Any) -> bytes:
        """See `Voight.call_raw`."""
        return await self._run(self._calls.call_raw(operation, **request))
