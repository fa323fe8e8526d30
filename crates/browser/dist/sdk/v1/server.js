// sdk/server/error.js
var VerdictError = class extends Error {
  /** @param {string} code @param {string} message @param {Occurrence} [occurrence] */
  constructor(code, message, { status = 0, retryable = false, reference: reference2 = "", cause } = {}) {
    super(message, cause === void 0 ? void 0 : { cause });
    this.name = "VerdictError";
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.reference = reference2;
  }
  /** `true` if the service could not answer. `failOpen` covers these errors only. */
  get outage() {
    return this.code === "unreachable" || this.status === 402 || this.status === 429 || this.status >= 500;
  }
};

// sdk/server/options.js
var TIMEOUT_MS = 1e4;
var ADDRESS = /^0x[0-9a-f]{40}$/;
function requireOption(name, isValid, expected) {
  if (!isValid) throw new VerdictError("invalid_argument", `${name} must be ${expected}.`);
}
function isOrigin(text) {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
function parseService({ baseUrl, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch }) {
  requireOption("baseUrl", isOrigin(baseUrl), "the origin of the service, such as https://voight.example");
  requireOption("timeoutMs", timeoutMs > 0, "a number of milliseconds above 0");
  requireOption("fetch", typeof fetch === "function", "a function; this runtime has none of its own");
  return { baseUrl, fetch, deadline: Date.now() + timeoutMs };
}
function parseSubject({ eoaAddress, contextId }) {
  const address = String(eoaAddress).toLowerCase();
  requireOption("eoaAddress", ADDRESS.test(address), "0x followed by 40 hexadecimal digits");
  requireOption("contextId", typeof contextId === "string" && contextId !== "", "the id of a context that was registered");
  return { eoaAddress: address, contextId };
}
var newIdempotencyKey = () => globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
function requestHeaders({ apiKey, idempotencyKey = newIdempotencyKey() }) {
  requireOption("apiKey", /^vgt_\w+$/.test(apiKey), "an API key, vgt_live_… or vgt_test_…");
  requireOption("idempotencyKey", /^[\w.:-]{1,255}$/.test(idempotencyKey), "at most 255 letters, digits, '_', '.', ':' or '-'");
  return { "x-api-key": apiKey, "idempotency-key": idempotencyKey };
}

// sdk/server/receipt.js
var MAX_LENGTH = 2048;
var FORMAT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
var ADVICE = {
  missing: "The request has no receipt, so no check was completed for it. Reject it, or let the visitor complete a check.",
  forged: "This receipt is not signed by the service, or belongs to a context of another API key. Reject it.",
  used: "This receipt was redeemed before. Reject it, or let the visitor complete another check. To repeat the call for the same claim, pass the same idempotencyKey.",
  expired: "This receipt is older than ten minutes. Let the visitor complete another check.",
  mismatch: "This receipt is for another address or context than the claim. Reject it, or let the visitor complete a check with this wallet."
};
var receiptError = (reason, occurrence) => new VerdictError(`receipt_${reason}`, ADVICE[reason], occurrence);
var bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
function decode(part) {
  const value = JSON.parse(new TextDecoder().decode(bytes(part)));
  if (typeof value !== "object" || value === null) throw new TypeError("not an object");
  return value;
}
function decodeReceipt(token) {
  if (typeof token !== "string" || token === "") throw receiptError("missing");
  if (token.length > MAX_LENGTH || !FORMAT.test(token)) throw receiptError("forged");
  const [header, payload, signature] = token.split(".");
  try {
    return { header: decode(header), claims: decode(payload), signed: `${header}.${payload}`, signature: bytes(signature) };
  } catch {
    throw receiptError("forged");
  }
}
function requireSubject(actual, expected, occurrence) {
  const isSame = String(actual.eoaAddress).toLowerCase() === expected.eoaAddress && actual.contextId === expected.contextId;
  if (!isSame) throw receiptError("mismatch", occurrence);
}

// sdk/server/call.js
var ATTEMPT_TIMEOUT_MS = 4e3;
var FIRST_PAUSE_MS = 250;
var TEMPORARY = [409, 429, 502, 503, 504];
var sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
var reference = (headers) => headers.get("x-request-id") ?? "";
function unexpectedResponse(action, { status, headers }) {
  const message = `The server at baseUrl ${action}, which Voight never does. Is baseUrl the origin of the service?`;
  return new VerdictError("bad_answer", message, { status, reference: reference(headers) });
}
async function send({ baseUrl, fetch, deadline, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS }, path, init) {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(attemptTimeoutMs, deadline - Date.now())));
  const response = await fetch(new URL(path, baseUrl), { ...init, redirect: "manual", signal });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
function parseJson({ headers, text }) {
  if (!headers.get("content-type")?.startsWith("application/json")) return void 0;
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function interpret(response, parse) {
  const { status, headers } = response;
  const body = parseJson(response);
  const { code, message } = body?.error ?? {};
  const occurrence = { status, retryable: TEMPORARY.includes(status) || status >= 500, reference: reference(headers) };
  if (status < 200 || status >= 300 && status < 400) return unexpectedResponse("redirects to another address", response);
  if (status === 200) return parse(body) ?? unexpectedResponse("sends another body", response);
  if (typeof code === "string") return new VerdictError(code.toLowerCase(), String(message), occurrence);
  if (!occurrence.retryable) return unexpectedResponse(`responds with ${status} without JSON`, response);
  return new VerdictError("unavailable", `The service, or a proxy in front of it, responds with ${status}. Try again later.`, occurrence);
}
function retryDelay({ status, headers }, pause) {
  if (!TEMPORARY.includes(status)) return Infinity;
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return Math.max(pause, seconds > 0 ? seconds * 1e3 : 0);
}
async function call(service, path, init, parse) {
  for (let pause = FIRST_PAUSE_MS * (1 + Math.random()); ; pause *= 2) {
    const response = await send(service, path, init).catch((cause) => new NoResponse(service, cause));
    const outcome = response instanceof NoResponse ? response.error : interpret(response, parse);
    if (!(outcome instanceof VerdictError)) return outcome;
    const delay = response instanceof NoResponse ? pause : retryDelay(response, pause);
    if (Date.now() + delay >= service.deadline) throw outcome;
    await sleep(delay);
  }
}
var NoResponse = class {
  /** @param {Service} service @param {unknown} cause */
  constructor({ baseUrl }, cause) {
    const message = `The service does not respond at ${baseUrl}. Is it running, and can this backend reach it?`;
    this.error = new VerdictError("unreachable", message, { retryable: true, cause });
  }
};

// sdk/server/requests.js
var STATUSES = ["valid", "used", "expired", "forged"];
async function redeem(service, headers, token, subject) {
  const init = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ receipt: token })
  };
  const data = await call(
    service,
    "/api/v1/receipts/verify",
    init,
    (body) => STATUSES.includes(body?.data?.status) ? body.data : void 0
  );
  if (data.status !== "valid") throw receiptError(data.status, { status: 200 });
  const receipt = {
    contextId: data.context_id,
    eoaAddress: String(data.eoa_address).toLowerCase(),
    origin: data.origin,
    originAllowlisted: data.origin_allowlisted,
    owned: data.owned,
    test: data.test,
    issuedAt: new Date(data.issued_at),
    expiresAt: new Date(data.expires_at)
  };
  requireSubject(receipt, subject);
  return receipt;
}
function lookUp(service, headers, { eoaAddress, contextId }) {
  const query = new URLSearchParams({ eoa_address: eoaAddress, context_id: contextId });
  return call(service, `/api/v1/users/eoa?${query}`, { headers }, (body) => {
    const { isBot, confidence } = body?.data ?? {};
    const score = confidence?.score;
    if (typeof isBot !== "boolean" || typeof score !== "number") return void 0;
    return { verdict: isBot ? "bot" : score === 0 ? "unknown" : "human", score };
  });
}

// sdk/server/offline.js
var REFETCH_MS = 3e4;
var MAX_AGE_MS = 3e5;
var RETIREMENT_MARGIN = 60;
var cache = /* @__PURE__ */ new Map();
var unsupportedRuntime = (cause) => new VerdictError("unsupported_runtime", "This runtime has no Ed25519 in WebCrypto. Use Node.js 20 or later, or getVerdict.", { cause });
async function importKey({ kid, kty, crv, x, retired_at: retiredAt }, index) {
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]).catch((cause) => {
    throw unsupportedRuntime(cause);
  });
  const until = index === 0 && !retiredAt ? Infinity : Date.parse(retiredAt ?? "") / 1e3 + RETIREMENT_MARGIN;
  return [kid, { key, until }];
}
async function fetchKeys(service) {
  const set = await call(service, "/.well-known/voight-keys.json", {}, (body) => Array.isArray(body?.keys) ? body.keys : void 0);
  return new Map(await Promise.all(set.filter((jwk) => jwk?.crv === "Ed25519").map(importKey)));
}
function cachedKeys(service, maxAgeMs) {
  const cached = cache.get(service.baseUrl);
  if (cached && Date.now() - cached.fetchedAt < maxAgeMs) return cached.keys;
  const keys = fetchKeys(service);
  cache.set(service.baseUrl, { fetchedAt: Date.now(), keys });
  const fallback = cached && { fetchedAt: Date.now() - MAX_AGE_MS + REFETCH_MS, keys: cached.keys };
  keys.catch(() => fallback ? cache.set(service.baseUrl, fallback) : cache.delete(service.baseUrl));
  return keys;
}
var date = (seconds) => new Date(seconds * 1e3);
async function findKey(service, kid) {
  const cached = cache.get(service.baseUrl);
  const current = cachedKeys(service, MAX_AGE_MS);
  const keys = await (cached ? current.catch(() => cached.keys) : current);
  return keys.get(kid) ?? (await cachedKeys(service, REFETCH_MS)).get(kid);
}
async function verifyReceipt(options) {
  const service = parseService(options);
  const subject = parseSubject(options);
  const { header, claims, signed, signature } = decodeReceipt(options.receipt);
  if (!globalThis.crypto?.subtle) throw unsupportedRuntime();
  const { alg, kid, typ } = header;
  const key = alg === "EdDSA" && typ === "voight-receipt+jwt" ? await findKey(service, kid) : void 0;
  const isValid = key && await crypto.subtle.verify("Ed25519", key.key, signature, new TextEncoder().encode(signed));
  if (!isValid || !(claims.iat <= key.until)) throw receiptError("forged");
  const { context, address, origin, origin_allowlisted: originAllowlisted, owned, test, iat, exp } = claims;
  const receipt = { contextId: context, eoaAddress: address, origin, originAllowlisted, owned, test, issuedAt: date(iat), expiresAt: date(exp) };
  if (!(Date.now() < receipt.expiresAt.getTime())) throw receiptError("expired");
  requireSubject(receipt, subject);
  return receipt;
}

// sdk/server/snapshot.js
var TIMEOUT_MS2 = 6e5;
var ATTEMPT_TIMEOUT_MS2 = 12e4;
var POLL_INTERVAL_MS = 1e3;
var snapshotOf = (body) => typeof body?.data?.state === "string" ? body.data : void 0;
async function takeSnapshot({ timeoutMs = TIMEOUT_MS2, ...options }) {
  requireOption("idempotencyKey", options.idempotencyKey !== void 0, "a key of your own for this snapshot, such as payout-2026-11");
  const service = { ...parseService({ ...options, timeoutMs }), attemptTimeoutMs: ATTEMPT_TIMEOUT_MS2 };
  const headers = requestHeaders(options);
  const { addresses, amount, include = [], contextId } = options;
  const request = { context_id: contextId, source: addresses === void 0 ? "seen" : "upload", amount: amount?.toString(), include };
  const json = { ...headers, "content-type": "application/json" };
  let snapshot = await call(service, "/api/v1/snapshots", { method: "POST", headers: json, body: JSON.stringify(request) }, snapshotOf);
  const path = `/api/v1/snapshots/${snapshot.id}`;
  if (addresses !== void 0 && snapshot.state === "uploading") {
    const csv = { ...headers, "content-type": "text/csv" };
    const body = (
      /** @type {BodyInit} */
      addresses
    );
    snapshot = await call(service, `${path}/addresses`, { method: "PUT", headers: csv, body }, snapshotOf);
  }
  while (snapshot.state !== "draft" && snapshot.state !== "final") {
    if (snapshot.pause) {
      throw new VerdictError("snapshot_paused", `The job of the snapshot ${snapshot.id} is paused: ${snapshot.pause}.`, { retryable: true });
    }
    if (Date.now() + POLL_INTERVAL_MS >= service.deadline) {
      throw new VerdictError("timeout", `The snapshot ${snapshot.id} is still ${snapshot.state}. Repeat the call later.`, { retryable: true });
    }
    await sleep(POLL_INTERVAL_MS);
    snapshot = await call(service, path, { headers }, snapshotOf);
  }
  return snapshot;
}

// sdk/server.js
async function getVerdict(claim) {
  const [service, headers, subject] = [parseService(claim), requestHeaders(claim), parseSubject(claim)];
  const { claims } = decodeReceipt(claim.receipt);
  requireSubject({ contextId: claims.context, eoaAddress: claims.address }, subject);
  let receipt = null;
  try {
    receipt = await redeem(service, headers, String(claim.receipt), subject);
    return { ...await lookUp(service, headers, subject), receipt, failedOpen: false };
  } catch (cause) {
    if (!claim.failOpen || !(cause instanceof VerdictError) || !cause.outage) throw cause;
    return { verdict: "unknown", score: 0, receipt, failedOpen: true, reason: cause };
  }
}
export {
  VerdictError,
  getVerdict,
  takeSnapshot,
  verifyReceipt
};
