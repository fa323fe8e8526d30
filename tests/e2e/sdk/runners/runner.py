
"""Runs the cases on standard input, one JSON object a line, with the installed package `voight`: `runner.py sync` or `async`."""

import asyncio
import dataclasses
import json
import sys
import threading
import time
import traceback
from datetime import datetime

import httpx
from voight import AsyncVoight, Voight, VoightError, verify_webhook

OUTPUT = threading.Lock()
# All cases but the first share the connections, because a client of its own reads all certificates, which takes time.
LIMITS = httpx.Limits(max_connections=None)
BY_ID = ("finalize_snapshot", "download_snapshot", "snapshot_manifest")


def settings(client):
    options = dict(client)
    if "timeout_ms" in options:
        options["timeout"] = options.pop("timeout_ms") / 1000
    return options


def call_of(one, voight):
    arguments = dict(one["arguments"])
    if "timeout_ms" in arguments:
        arguments["timeout"] = arguments.pop("timeout_ms") / 1000
    if one["call"] == "take_snapshot":
        arguments.setdefault("idempotency_key", None)
    method = getattr(voight, one["call"])
    if one["call"] in BY_ID:
        return lambda: method(arguments["id"], **{name: value for name, value in arguments.items() if name != "id"})
    if "operation" in arguments:
        return lambda: method(arguments["operation"], **{name: value for name, value in arguments.items() if name != "operation"})
    return lambda: method(**arguments)


def event_of(arguments):
    options = dict(arguments)
    if "tolerance_ms" in options:
        options["tolerance"] = options.pop("tolerance_ms") / 1000
    return verify_webhook(**options)


def plain(result):
    if isinstance(result, bytes):
        return result.decode()
    if isinstance(result, VoightError):
        return result.code
    if isinstance(result, datetime):
        return result.isoformat().replace("+00:00", "Z")
    if dataclasses.is_dataclass(result):
        return {field.name: plain(getattr(result, field.name)) for field in dataclasses.fields(result)}
    return result


def failure(error):
    names = ("code", "id", "status", "retryable", "outage", "request_id", "retry_after", "remaining", "message")
    shown = "".join(traceback.format_exception(type(error), error, error.__traceback__)) + repr(error) + repr(error.__cause__)
    return {"error": {name: getattr(error, name) for name in names}, "shown": shown}


def pause(step):
    return step.get("wait_ms", 0) / 1000


def prepare_sync(one, voight):
    """Runs the calls before that of the case; their failures are part of the case."""

    def attempt(step):
        try:
            call_of(step, voight)()
        except VoightError:
            pass

    for step in one.get("before") or []:
        if pause(step):
            time.sleep(pause(step))
        elif step.get("beside"):
            threading.Thread(target=attempt, args=(step,), daemon=True).start()
        else:
            attempt(step)


async def prepare_async(one, voight):
    """Does the same as `prepare_sync`."""

    async def attempt(step):
        try:
            await call_of(step, voight)()
        except VoightError:
            pass

    beside = []
    for step in one.get("before") or []:
        if pause(step):
            await asyncio.sleep(pause(step))
        elif step.get("beside"):
            beside.append(asyncio.create_task(attempt(step)))
        else:
            await attempt(step)
    return beside


def report(one, began, outcome):
    line = json.dumps({"name": one.get("name"), "took_ms": (time.monotonic() - began) * 1000, **outcome})
    with OUTPUT:
        print(line, flush=True)


def run_sync(line, http):
    one = json.loads(line)
    began = time.monotonic()
    try:
        with Voight(**settings(one["client"]), http=http) as voight:
            prepare_sync(one, voight)
            for _ in range(one.get("repeat", 1)):
                result = event_of(one["arguments"]) if one["call"] == "verify_webhook" else call_of(one, voight)()
            outcome = {"ok": plain(result), "shown": repr(voight) + str(voight)}
    except VoightError as error:
        outcome = failure(error)
    report(one, began, outcome)


async def run_async(line, http):
    one = json.loads(line)
    began = time.monotonic()
    try:
        async with AsyncVoight(**settings(one["client"]), http=http) as voight:
            beside = await prepare_async(one, voight)
            for _ in range(one.get("repeat", 1)):
                # This function of the module is not a method, and not asynchronous.
                result = event_of(one["arguments"]) if one["call"] == "verify_webhook" else await call_of(one, voight)()
            for task in beside:
                task.cancel()
            outcome = {"ok": plain(result), "shown": repr(voight) + str(voight)}
    except VoightError as error:
        outcome = failure(error)
    report(one, began, outcome)


async def main():
    loop = asyncio.get_running_loop()
    tasks = []
    async with httpx.AsyncClient(limits=LIMITS) as http:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            tasks.append(asyncio.create_task(run_async(line, None if not tasks else http)))
        await asyncio.gather(*tasks)


if sys.argv[1] == "async":
    asyncio.run(main())
else:
    with httpx.Client(limits=LIMITS) as http:
        threads = []
        for line in iter(sys.stdin.readline, ""):
            threads.append(threading.Thread(target=run_sync, args=(line, http if threads else None)))
            threads[-1].start()
        for thread in threads:
            thread.join()
