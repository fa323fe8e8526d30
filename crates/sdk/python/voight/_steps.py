"""Calls of the service, as generators that both clients run."""

import hashlib
import json
import time
from typing import Any, Dict, Iterable, List, Mapping, Optional, TypeVar, Union
from urllib.parse import quote

from . import _options as options
from ._call import Call, Deadline, Response, Steps, bad_answer, data_of, perform
from ._errors import VoightError
from ._generated import (
    OPERATIONS,
    BatchLookupResponse,
    LedgerHead,
    LookupDetailResponse,
    Quote,
    SignedLedgerHead,
    SignedManifest,
    Snapshot,
)
from ._verdict import (
    Lookup,
    Receipt,
    Verdict,
    decode_receipt,
    lookup,
    receipt_error,
    redeemed,
    require_subject,
)

T = TypeVar("T")

SNAPSHOT_TIMEOUT = 600.0
"""Default timeout of the calls that wait for a job of a snapshot, in seconds."""
TRANSFER_TIMEOUT = 120.0
"""Timeout of one transfer of a file, in seconds. An upload of a million addresses has some 45 MB."""
_POLL_INTERVAL = 1.0
_STATUSES = ("valid", "used", "expired", "forged")


class Calls:
    """Calls with the settings of a client."""

    def __init__(self, base_url: str, api_key: str, timeout: float) -> None:
        self.base_url = options.origin(base_url)
        self._api_key = options.api_key(api_key)
        self._timeout = options.timeout(timeout)

    def _deadline(self, timeout: Optional[float] = None, **more: float) -> Deadline:
        seconds = self._timeout if timeout is None else options.timeout(timeout)
        return Deadline(time.monotonic() + seconds, **more)

    def _call(
        self,
        operation: str,
        *,
        path: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        content: Optional[bytes] = None,
        content_type: str = "application/json",
        idempotency_key: Optional[str] = None,
    ) -> Call:
        options.require("operation", operation in OPERATIONS, "an operation id of the API")
        target = OPERATIONS[operation].path
        for name, value in (path or {}).items():
            target = target.replace(f"{{{name}}}", quote(options.text(name, value, "an id"), safe=""))
        options.require("path", "{" not in target, "the parameters of the path")
        headers = {"x-api-key": self._api_key, "accept-encoding": "identity"}
        if idempotency_key is not None or OPERATIONS[operation].retry == "with_key":
            headers["idempotency-key"] = options.idempotency_key(idempotency_key)
        content = json.dumps(body).encode() if body is not None else content
        if content is not None:
            headers["content-type"] = content_type
        parameters = {name: value for name, value in (query or {}).items() if value is not None}
        return Call(OPERATIONS[operation], self.base_url, target, parameters, headers, content)

    def _data(self, call: Call, deadline: Optional[Deadline] = None) -> Steps[Any]:
        return perform(call, deadline or self._deadline(), lambda reply: data_of(call.operation, reply))

    def call(self, operation: str, **request: Any) -> Steps[Any]:
        return (yield from self._data(self._call(operation, **request)))

    def call_raw(self, operation: str, **request: Any) -> Steps[bytes]:
        deadline = self._deadline(attempt_timeout=TRANSFER_TIMEOUT)
        return (yield from perform(self._call(operation, **request), deadline, lambda reply: reply.content))

    def get_verdict(
        self,
        *,
        receipt: Any,
        eoa_address: str,
        context_id: str,
        idempotency_key: Optional[str] = None,
        fail_open: bool = False,
    ) -> Steps[Verdict]:
        deadline = self._deadline()
        address, context = options.eoa_address(eoa_address), options.context_id(context_id)
        key = options.idempotency_key(idempotency_key)
        # A receipt that is recognisably invalid for this claim is not redeemed.
        claims = decode_receipt(receipt).claims
        require_subject(claims.get("context"), claims.get("address"), context, address)
        content: Optional[Receipt] = None
        try:
            content = yield from self._redeem(receipt, key, deadline)
            require_subject(content.context_id, content.eoa_address, context, address)
            found = yield from self._look_up(address, context, key, deadline)
        except VoightError as error:
            if not fail_open or not error.outage:
                raise
            return Verdict("unknown", 0.0, content, failed_open=True, reason=error)
        return Verdict(found.verdict, found.score, content)

    def _redeem(self, receipt: str, key: str, deadline: Deadline) -> Steps[Receipt]:
        call = self._call("verifyReceipt", body={"receipt": receipt}, idempotency_key=key)

        def parse(reply: Response) -> Receipt:
            data = data_of(call.operation, reply)
            if data["status"] not in _STATUSES:
                raise bad_answer(reply, "sends another body")
            if data["status"] != "valid":
                raise receipt_error(data["status"], reply.status)
            try:
                return redeemed(data)
            except (KeyError, ValueError):
                raise bad_answer(reply, "sends another body") from None

        return (yield from perform(call, deadline, parse))

    def look_up(self, *, eoa_address: str, context_id: str, idempotency_key: Optional[str] = None) -> Steps[Lookup]:
        address, context = options.eoa_address(eoa_address), options.context_id(context_id)
        key = options.idempotency_key(idempotency_key)
        return (yield from self._look_up(address, context, key, self._deadline()))

    def _look_up(self, address: str, context: str, key: str, deadline: Deadline) -> Steps[Lookup]:
        query = {"eoa_address": address, "context_id": context}
        call = self._call("lookUpAddress", query=query, idempotency_key=key)

        def parse(reply: Response) -> Lookup:
            found = lookup(data_of(call.operation, reply))
            if found is None:
                raise bad_answer(reply, "sends another body")
            return found

        return (yield from perform(call, deadline, parse))

    def look_up_detail(
        self, *, eoa_address: str, context_id: str, idempotency_key: Optional[str] = None
    ) -> Steps[LookupDetailResponse]:
        query = {"eoa_address": options.eoa_address(eoa_address), "context_id": options.context_id(context_id)}
        key = options.idempotency_key(idempotency_key)
        data: LookupDetailResponse = yield from self._data(
            self._call("lookUpAddressDetail", query=query, idempotency_key=key)
        )
        return data

    def look_up_batch(
        self, *, eoa_addresses: List[str], context_id: str, idempotency_key: Optional[str] = None
    ) -> Steps[BatchLookupResponse]:
        body = {"context_id": options.context_id(context_id), "eoa_addresses": options.batch(eoa_addresses)}
        key = options.idempotency_key(idempotency_key)
        data: BatchLookupResponse = yield from self._data(self._call("lookUpBatch", body=body, idempotency_key=key))
        return data

    def register_context(self, *, title: str, idempotency_key: Optional[str] = None) -> Steps[str]:
        body = {"context_title": options.text("title", title, "the title of the context")}
        key = options.idempotency_key(idempotency_key)
        data = yield from self._data(self._call("registerContext", body=body, idempotency_key=key))
        return str(data["context_id"])

    def create_quote(self, *, context_id: str, units: int) -> Steps[Quote]:
        is_valid = isinstance(units, int) and not isinstance(units, bool) and units > 0
        options.require("units", is_valid, "a whole number above 0")
        body = {"context_id": options.context_id(context_id), "units": units}
        data: Quote = yield from self._data(self._call("createQuote", body=body))
        return data

    def ledger_head(self, *, saved: Optional[LedgerHead] = None) -> Steps[SignedLedgerHead]:
        head: SignedLedgerHead = yield from self._data(self._call("getLedgerHead"))
        if saved is not None and head["seq"] < saved["seq"]:
            fault = f"ends at row {head['seq']}, before the saved row {saved['seq']}: rows were removed, or a backup was restored"
        elif saved is not None and head["seq"] == saved["seq"] and head["head"] != saved["head"]:
            fault = f"has another head at row {head['seq']} than the saved one: it was rewritten, or is another ledger"
        else:
            return head
        raise VoightError(
            "ledger_mismatch", f"The ledger {fault}. Keep the saved head, and ask the operator.", status=200
        )

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
    ) -> Steps[Snapshot]:
        expected = "a key of your own for this snapshot, such as payout-2026-11"
        options.require("idempotency_key", idempotency_key is not None, expected)
        deadline = self._deadline(timeout, attempt_timeout=TRANSFER_TIMEOUT)
        body: Dict[str, Any] = {"context_id": options.context_id(context_id), "include": list(include)}
        body["source"] = "seen" if addresses is None else "upload"
        if amount is not None:
            body["amount"] = str(amount)
        call = self._call("createSnapshot", body=body, idempotency_key=idempotency_key)
        snapshot = yield from self._data(call, deadline)
        if addresses is not None and snapshot["state"] == "uploading":
            content = addresses.encode() if isinstance(addresses, str) else addresses
            path = {"id": snapshot["id"]}
            stated = {
                "address_column": address_column,
                "amount_column": amount_column,
                "no_amounts": "true" if no_amounts else None,
                "unit": unit,
                "decimals": decimals,
                "dry_run": "true" if dry_run else None,
            }
            query = {name: str(value) for name, value in stated.items() if value is not None}
            upload = self._call("uploadAddresses", path=path, query=query, content=content, content_type=content_type)
            snapshot = yield from self._data(upload, deadline)
        if dry_run:
            return snapshot
        summary = snapshot.get("summary")
        draft = yield from self._wait(snapshot, ("draft", "final"), deadline)
        draft["summary"] = summary
        return draft

    def finalize_snapshot(self, id: str, *, timeout: float = SNAPSHOT_TIMEOUT) -> Steps[Snapshot]:
        deadline = self._deadline(timeout)
        snapshot = yield from self._data(self._call("finalizeSnapshot", path={"id": id}), deadline)
        return (yield from self._wait(snapshot, ("final",), deadline))

    def _wait(self, snapshot: Snapshot, states: Iterable[str], deadline: Deadline) -> Steps[Snapshot]:
        while snapshot["state"] not in states:
            id, state = snapshot["id"], snapshot["state"]
            if snapshot.get("pause"):
                message = f"The job of the snapshot {id} is paused: {snapshot['pause']}."
                raise VoightError("snapshot_paused", message, retryable=True)
            if time.monotonic() + _POLL_INTERVAL >= deadline.end:
                raise VoightError(
                    "timeout", f"The snapshot {id} is still {state}. Repeat the call later.", retryable=True
                )
            yield _POLL_INTERVAL
            snapshot = yield from self._data(self._call("getSnapshot", path={"id": id}), deadline)
        return snapshot

    def download_snapshot(
        self, id: str, *, format: str, decimals: Optional[int] = None, timeout: float = TRANSFER_TIMEOUT
    ) -> Steps[bytes]:
        query = {"format": format, "decimals": decimals}
        call = self._call("getSnapshotFile", path={"id": id}, query=query)

        def parse(reply: Response) -> bytes:
            tag = reply.headers.get("etag", "").strip('"')
            if tag != hashlib.sha256(reply.content).hexdigest():
                raise bad_answer(reply, "sends a file whose SHA-256 is not its ETag")
            return reply.content

        deadline = self._deadline(timeout, attempt_timeout=TRANSFER_TIMEOUT)
        return (yield from perform(call, deadline, parse))

    def snapshot_manifest(self, id: str, *, format: str, decimals: Optional[int] = None) -> Steps[SignedManifest]:
        query = {"format": format, "decimals": decimals}
        data: SignedManifest = yield from self._data(self._call("getSnapshotManifest", path={"id": id}, query=query))
        return data
