// sdk/server/error.js
var VerdictError = class extends Error {
  /** @param {string} code @param {string} message @param {Occurrence} [occurrence] */
  constructor(code, message, { status = 0, retryable = false, reference: reference2 = "", id = "", retryAfter: retryAfter2, remaining, cause } = {}) {
    super(message, cause === void 0 ? void 0 : { cause });
    this.name = "VerdictError";
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.reference = reference2;
    this.id = id;
    this.retryAfter = retryAfter2;
    this.remaining = remaining;
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
  requireContext(contextId);
  return { eoaAddress: address, contextId };
}
function requireContext(contextId) {
  requireOption("contextId", typeof contextId === "string" && contextId !== "", "the id of a context that was registered");
}
function keyHeader({ apiKey }) {
  requireOption("apiKey", /^vgt_\w+$/.test(apiKey), "an API key, vgt_live_… or vgt_test_…");
  return { "x-api-key": apiKey };
}
var newIdempotencyKey = () => globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
function requestHeaders({ apiKey, idempotencyKey = newIdempotencyKey() }) {
  const headers = keyHeader({ apiKey });
  requireOption("idempotencyKey", /^[\w.:-]{1,255}$/.test(idempotencyKey), "at most 255 letters, digits, '_', '.', ':' or '-'");
  return { ...headers, "idempotency-key": idempotencyKey };
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
  const [header2, payload, signature] = token.split(".");
  try {
    return { header: decode(header2), claims: decode(payload), signed: `${header2}.${payload}`, signature: bytes(signature) };
  } catch {
    throw receiptError("forged");
  }
}
function requireSubject(actual, expected, occurrence) {
  const isSame = String(actual.eoaAddress).toLowerCase() === expected.eoaAddress && actual.contextId === expected.contextId;
  if (!isSame) throw receiptError("mismatch", occurrence);
}

// sdk/server/generated.js
var OPERATIONS = {
  // The public keys of receipts and of heads of ledgers
  "getKeys": { method: "GET", path: "/.well-known/voight-keys.json", required: [], retry: "always" },
  // Change the settings of a context
  "changeContext": { method: "PATCH", path: "/api/v1/contexts/{context_id}", required: ["context_id", "origins", "ownership_proof", "unverified_flags", "min_confidence", "press_count", "mode", "device_limit", "device_policy", "retention_days", "archived"], retry: "if_unapplied" },
  // The client's events
  "listEvents": { method: "GET", path: "/api/v1/events", required: ["events", "next", "done"], retry: "always" },
  // The client's invoices
  "listInvoices": { method: "GET", path: "/api/v1/invoices", required: ["invoices"], retry: "always" },
  // One of the client's invoices
  "getInvoice": { method: "GET", path: "/api/v1/invoices/{id}", required: ["period", "billable", "free", "charged", "price_book", "lines", "adjustments", "carried_forward", "total", "due", "first_seq", "last_seq", "chain_head", "id", "number", "issued_at", "replaces", "changed_at", "reason", "client_id", "client", "state"], retry: "always" },
  // Quote the cost of lookups
  "createQuote": { method: "POST", path: "/api/v1/quotes", required: ["binding", "units", "free", "charged", "amount", "charges_before", "lines"], retry: "always" },
  // Redeem a receipt
  "verifyReceipt": { method: "POST", path: "/api/v1/receipts/verify", required: ["status"], retry: "with_key" },
  // Register a context
  "registerContext": { method: "POST", path: "/api/v1/register/context_id", required: ["context_id"], retry: "with_key" },
  // Vouch for an address
  "createSession": { method: "POST", path: "/api/v1/sessions", required: ["session", "expires_at"], retry: "always" },
  // List the snapshots
  "listSnapshots": { method: "GET", path: "/api/v1/snapshots", required: ["snapshots"], retry: "always" },
  // Create a snapshot
  "createSnapshot": { method: "POST", path: "/api/v1/snapshots", required: ["id", "context_id", "source", "state", "addresses", "units", "changed", "include", "created_at", "expires_at"], retry: "with_key" },
  // The state of a snapshot
  "getSnapshot": { method: "GET", path: "/api/v1/snapshots/{id}", required: ["id", "context_id", "source", "state", "addresses", "units", "changed", "include", "created_at", "expires_at"], retry: "always" },
  // Delete a snapshot
  "deleteSnapshot": { method: "DELETE", path: "/api/v1/snapshots/{id}", required: ["id"], retry: "if_unapplied" },
  // Upload the addresses of a snapshot
  "uploadAddresses": { method: "PUT", path: "/api/v1/snapshots/{id}/addresses", required: ["id", "context_id", "source", "state", "addresses", "units", "changed", "include", "created_at", "expires_at"], retry: "always" },
  // Download a file of a snapshot
  "getSnapshotFile": { method: "GET", path: "/api/v1/snapshots/{id}/file", required: [], retry: "always" },
  // Finalise a snapshot
  "finalizeSnapshot": { method: "POST", path: "/api/v1/snapshots/{id}/finalize", required: ["id", "context_id", "source", "state", "addresses", "units", "changed", "include", "created_at", "expires_at"], retry: "always" },
  // The signed manifest of a snapshot
  "getSnapshotManifest": { method: "GET", path: "/api/v1/snapshots/{id}/manifest", required: ["sha256", "bytes", "signed"], retry: "always" },
  // Usage of the client
  "getUsage": { method: "GET", path: "/api/v1/usage", required: ["from", "to", "billable", "free", "charged", "days", "contexts", "head"], retry: "always" },
  // Export the client's lookups
  "exportUsage": { method: "GET", path: "/api/v1/usage/export", required: [], retry: "always" },
  // The signed head of the client's ledger
  "getLedgerHead": { method: "GET", path: "/api/v1/usage/head", required: ["seq", "head", "at", "signed"], retry: "always" },
  // Query the identification result for an address
  "lookUpAddress": { method: "GET", path: "/api/v1/users/eoa", required: ["isBot", "confidence"], retry: "with_key" },
  // Query the identification results for several addresses
  "lookUpBatch": { method: "POST", path: "/api/v1/users/eoa/batch", required: ["results", "units"], retry: "with_key" },
  // Query the identification result for an address with its basis
  "lookUpAddressDetail": { method: "GET", path: "/api/v1/users/eoa/detail", required: ["status", "isBot", "confidence", "checks"], retry: "with_key" },
  // List the webhook endpoints
  "listWebhooks": { method: "GET", path: "/api/v1/webhooks", required: ["webhooks"], retry: "always" },
  // Create a webhook endpoint
  "createWebhook": { method: "POST", path: "/api/v1/webhooks", required: ["id", "url", "environment", "types", "contexts", "signature", "state", "pending", "created_at"], retry: "if_unapplied" },
  // Show a webhook endpoint
  "getWebhook": { method: "GET", path: "/api/v1/webhooks/{id}", required: ["id", "url", "environment", "types", "contexts", "signature", "state", "pending", "created_at"], retry: "always" },
  // Change a webhook endpoint
  "changeWebhook": { method: "PATCH", path: "/api/v1/webhooks/{id}", required: ["id", "url", "environment", "types", "contexts", "signature", "state", "pending", "created_at"], retry: "if_unapplied" },
  // Delete a webhook endpoint
  "deleteWebhook": { method: "DELETE", path: "/api/v1/webhooks/{id}", required: ["id"], retry: "if_unapplied" },
  // List the deliveries to a webhook endpoint
  "listWebhookDeliveries": { method: "GET", path: "/api/v1/webhooks/{id}/deliveries", required: ["deliveries"], retry: "always" },
  // Send events to a webhook endpoint again
  "replayWebhook": { method: "POST", path: "/api/v1/webhooks/{id}/replay", required: ["id", "url", "environment", "types", "contexts", "signature", "state", "pending", "created_at"], retry: "if_unapplied" },
  // Rotate the key of a webhook endpoint
  "rotateWebhook": { method: "POST", path: "/api/v1/webhooks/{id}/rotate", required: ["id", "url", "environment", "types", "contexts", "signature", "state", "pending", "created_at"], retry: "if_unapplied" },
  // Send a test to a webhook endpoint
  "testWebhook": { method: "POST", path: "/api/v1/webhooks/{id}/test", required: ["attempt", "timestamp", "duration_ms", "response"], retry: "if_unapplied" },
  // Liveness
  "getLiveness": { method: "GET", path: "/livez", required: [], retry: "always" },
  // This document
  "getOpenApi": { method: "GET", path: "/openapi.json", required: [], retry: "always" }
};
var ERRORS = [
  ["m_a_b_1", "forbidden", false],
  ["m_a_c_1", "unauthorized", false],
  ["m_a_k_1", "unauthorized", false],
  ["m_a_s_1", "forbidden", false],
  ["m_a_u_1", "client_suspended", false],
  ["m_b_q_1", "quota_exceeded", false],
  ["m_e_c_1", "events_expired", false],
  ["m_g_h_1", "headers_too_large", false],
  ["m_g_i_1", "idempotency_conflict", true],
  ["m_g_i_2", "idempotency_key_reused", false],
  ["m_g_m_1", "method_not_allowed", false],
  ["m_g_n_1", "not_found", false],
  ["m_g_p_1", "invalid_request", false],
  ["m_g_r_1", "rate_limited", true],
  ["m_g_t_1", "request_timeout", true],
  ["m_g_x_1", "internal_error", false],
  ["m_g_x_2", "unavailable", true],
  ["m_g_y_1", "unsupported_media_type", false],
  ["m_g_z_1", "payload_too_large", false],
  ["m_g_z_2", "uri_too_long", false],
  ["m_h_c_1", "webhook_conflict", false],
  ["m_h_d_1", "webhooks_disabled", false],
  ["m_h_n_1", "not_found", false],
  ["m_l_e_1", "invalid_address", false],
  ["m_l_e_2", "invalid_checksum", false],
  ["m_r_b_1", "invalid_json", false],
  ["m_r_t_1", "invalid_title", false],
  ["m_s_c_1", "snapshot_conflict", false],
  ["m_s_r_1", "range_not_satisfiable", false]
];

// sdk/server/call.js
var ATTEMPT_TIMEOUT_MS = 4e3;
var FIRST_PAUSE_MS = 250;
var TEMPORARY = [408, 429, 502, 503, 504];
var RETRYABLE = new Map(ERRORS.map(([, code, isRetryable]) => [code, isRetryable]));
var REJECTED = [408, 429];
var NOT_CONNECTED = ["ECONNREFUSED", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT"];
var OLDER = "the service is older than this helper. Upgrade the service.";
var sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
var reference = (headers) => headers.get("x-request-id") ?? "";
function unexpectedResponse(action, { status, headers }) {
  const message = `The server at baseUrl ${action}, which Voight never does. Is baseUrl the origin of the service?`;
  return new VerdictError("bad_answer", message, { status, reference: reference(headers) });
}
var fill = (template, parameters) => Object.entries(parameters).reduce((path, [name, value]) => path.replace(`{${name}}`, encodeURIComponent(value)), template);
async function send({ baseUrl, fetch, deadline, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS }, operation, { path = {}, query = {}, ...init }) {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(attemptTimeoutMs, deadline - Date.now())));
  const { method, path: template } = OPERATIONS[operation];
  const url = new URL(fill(template, path), baseUrl);
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url, { ...init, method, redirect: "manual", signal });
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}
function parseJson({ headers, bytes: bytes2 }) {
  if (!headers.get("content-type")?.startsWith("application/json")) return void 0;
  try {
    return JSON.parse(new TextDecoder().decode(bytes2));
  } catch {
    return void 0;
  }
}
function retryAfter(headers) {
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return seconds > 0 && seconds < Infinity ? seconds : void 0;
}
var isTemporary = ({ code, id, status }) => (id === "" ? void 0 : RETRYABLE.get(code)) ?? TEMPORARY.includes(status);
function errorOf({ baseUrl }, operation, response) {
  const { status, headers } = response;
  if (status === 200) return void 0;
  if (status < 200 || status >= 300 && status < 400) return unexpectedResponse("redirects to another address", response);
  const { code: upperCase, id, message, remaining } = parseJson(response)?.error ?? {};
  const occurrence = { status, reference: reference(headers), retryAfter: retryAfter(headers), id: String(id ?? ""), remaining };
  if (typeof upperCase !== "string") {
    if (!TEMPORARY.includes(status) && status < 500) return unexpectedResponse(`responds with ${status} without JSON`, response);
    const text = `The service, or a proxy in front of it, responds with ${status}. Try again later.`;
    return new VerdictError("unavailable", text, { ...occurrence, retryable: true });
  }
  const code = upperCase.toLowerCase();
  const { method, path } = OPERATIONS[operation];
  if (code === "not_found" && !path.includes("{")) {
    return new VerdictError("incompatible", `The service at ${baseUrl} has no ${method} ${path}: ${OLDER}`, occurrence);
  }
  return new VerdictError(code, String(message), { ...occurrence, retryable: isTemporary({ ...occurrence, code }) || status >= 500 });
}
function dataOf(operation, response) {
  const { method, path, required } = OPERATIONS[operation];
  const body = parseJson(response);
  const data = body?.data ?? (required.length === 0 ? body : void 0);
  if (typeof data !== "object" || data === null) throw unexpectedResponse("sends another body", response);
  const missing = required.find((member) => !(member in data));
  if (missing === void 0) return data;
  const occurrence = { status: response.status, reference: reference(response.headers) };
  throw new VerdictError("incompatible", `The answer to ${method} ${path} has no \`${missing}\`: ${OLDER}`, occurrence);
}
var isUnapplied = ({ status, cause }) => REJECTED.includes(status) || NOT_CONNECTED.includes(
  /** @type {any} */
  cause?.cause?.code
);
function uncertain({ code, message, status, reference: reference2, id, retryAfter: retryAfter2, remaining, cause }) {
  const text = `${message} The change may have been applied: read the state before you repeat the call.`;
  return new VerdictError(code, text, { status, reference: reference2, id, retryAfter: retryAfter2, remaining, cause });
}
async function call(service, operation, request, parse) {
  const { retry } = OPERATIONS[operation];
  const newKey = retry === "with_key" ? { "idempotency-key": newIdempotencyKey() } : {};
  const keyed = { ...request, headers: { ...newKey, ...request.headers } };
  for (let pause = FIRST_PAUSE_MS * (1 + Math.random()); ; pause *= 2) {
    const response = await send(service, operation, keyed).catch((cause) => new NoResponse(service, cause));
    const error = response instanceof NoResponse ? response.error : errorOf(service, operation, response);
    if (!error) return parse(
      /** @type {RawResponse} */
      response
    );
    const isWorthARetry = response instanceof NoResponse || isTemporary(error);
    if (retry === "if_unapplied" && error.retryable && !isUnapplied(error)) throw uncertain(error);
    const delay = isWorthARetry ? Math.max(pause, (error.retryAfter ?? 0) * 1e3) : Infinity;
    if (Date.now() + delay >= service.deadline) throw error;
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
var STATUSES = ["used", "expired", "forged"];
async function redeem(service, headers, token, subject) {
  const request = { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify({ receipt: token }) };
  const data = await call(service, "verifyReceipt", request, (response) => {
    const found = dataOf("verifyReceipt", response);
    const times = [found.issued_at, found.expires_at].map((text) => Date.parse(text));
    const isComplete = typeof found.context_id === "string" && typeof found.eoa_address === "string" && !times.some(Number.isNaN);
    const isKnown = found.status === "valid" ? isComplete : STATUSES.includes(found.status);
    if (!isKnown) throw unexpectedResponse("sends another body", response);
    return found;
  });
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
function requestVerdict(service, headers, { eoaAddress, contextId }) {
  const query = { eoa_address: eoaAddress, context_id: contextId };
  return call(service, "lookUpAddress", { headers, query }, (response) => {
    const { isBot, confidence } = dataOf("lookUpAddress", response);
    const score = confidence?.score;
    if (typeof isBot !== "boolean" || typeof score !== "number") throw unexpectedResponse("sends another body", response);
    return { verdict: isBot ? "bot" : score === 0 ? "unknown" : "human", score };
  });
}

// sdk/server/keys.js
var RETRY_MS = 3e4;
var MAX_AGE_MS = 3e5;
var LIFETIME_MS = 36e5;
var FETCH_TIMEOUT_MS = 1e4;
var RETIREMENT_MARGIN = 60;
var caches = /* @__PURE__ */ new Map();
var unsupportedRuntime = (cause) => new VerdictError("unsupported_runtime", "This runtime has no Ed25519 in WebCrypto. Use Node.js 20 or later, or getVerdict.", { cause });
function cacheOf(baseUrl) {
  const cache = caches.get(baseUrl) ?? { keys: /* @__PURE__ */ new Map(), fetching: null, failure: null, refreshAt: 0, searchAt: 0 };
  caches.set(baseUrl, cache);
  return cache;
}
async function importKey(jwk, index) {
  const { kid, kty, crv, x, retired_at: retiredAt } = jwk ?? {};
  if (crv !== "Ed25519") return void 0;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]).catch((cause) => {
    if (cause?.name === "DataError") return void 0;
    throw unsupportedRuntime(cause);
  });
  const until = index === 0 && !retiredAt ? Infinity : Date.parse(retiredAt ?? "") / 1e3 + RETIREMENT_MARGIN;
  return key && [String(kid), { key, until, seenAt: Date.now() }];
}
function maxAge(headers) {
  const seconds = /\bmax-age=(\d+)/.exec(headers.get("cache-control") ?? "")?.[1];
  return Math.min(seconds === void 0 ? MAX_AGE_MS : Number(seconds) * 1e3, MAX_AGE_MS);
}
async function fetchKeys(cache, service) {
  const response = await call({ ...service, deadline: Date.now() + FETCH_TIMEOUT_MS }, "getKeys", {}, (raw) => raw);
  const { keys } = dataOf("getKeys", response);
  const imported = Array.isArray(keys) ? await Promise.all(keys.map(importKey)) : [];
  const listed = imported.filter((entry) => entry !== void 0);
  if (listed.length === 0) throw unexpectedResponse("sends no keys", response);
  for (const [kid, key] of listed) cache.keys.set(kid, key);
  cache.refreshAt = Date.now() + maxAge(response.headers);
}
function startFetch(cache, service) {
  const settle = (failure) => {
    if (failure) cache.refreshAt = Date.now() + RETRY_MS;
    cache.failure = failure;
    cache.fetching = null;
  };
  cache.fetching ??= fetchKeys(cache, service).then(() => settle(null), settle);
  return cache.fetching;
}
async function waitFor(fetching, { baseUrl, deadline }) {
  const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const end = new Promise((resolve) => signal.addEventListener("abort", () => resolve(true)));
  if (await Promise.race([fetching, end])) throw new VerdictError("unreachable", `The keys of the service at ${baseUrl} did not arrive in time.`, { retryable: true });
}
async function findKey(service, kid) {
  const cache = cacheOf(service.baseUrl);
  const now = Date.now();
  for (const [id, { seenAt }] of cache.keys) if (now - seenAt > LIFETIME_MS) cache.keys.delete(id);
  const known = cache.keys.get(kid);
  if (known) {
    if (now >= cache.refreshAt) startFetch(cache, service);
    return known;
  }
  if (cache.fetching || cache.keys.size === 0 || now >= cache.searchAt) {
    if (!cache.fetching && cache.keys.size > 0) cache.searchAt = now + RETRY_MS;
    await waitFor(startFetch(cache, service), service);
  }
  if (cache.failure && !cache.keys.has(kid)) throw cache.failure;
  return cache.keys.get(kid);
}

// sdk/server/offline.js
var date = (seconds) => new Date(seconds * 1e3);
async function verifyReceipt(options) {
  const service = parseService(options);
  const subject = parseSubject(options);
  const { header: header2, claims, signed, signature } = decodeReceipt(options.receipt);
  if (!globalThis.crypto?.subtle) throw unsupportedRuntime();
  const { alg, kid, typ } = header2;
  const key = alg === "EdDSA" && typ === "voight-receipt+jwt" ? await findKey(service, kid) : void 0;
  const isValid = key && await crypto.subtle.verify("Ed25519", key.key, signature, new TextEncoder().encode(signed));
  if (!isValid || !(claims.iat <= key.until)) throw receiptError("forged");
  const { context, address, origin, origin_allowlisted: originAllowlisted, owned, test, iat, exp } = claims;
  const receipt = { contextId: context, eoaAddress: address, origin, originAllowlisted, owned, test, issuedAt: date(iat), expiresAt: date(exp) };
  if (!(Date.now() < receipt.expiresAt.getTime())) throw receiptError("expired");
  requireSubject(receipt, subject);
  return receipt;
}

// sdk/server/operations.js
var MAX_BATCH = 1e3;
var jsonRequest = (headers, body) => ({ headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) });
async function lookUp(options) {
  const [service, headers, subject] = [parseService(options), requestHeaders(options), parseSubject(options)];
  return requestVerdict(service, headers, subject);
}
async function lookUpDetail(options) {
  const [service, headers, subject] = [parseService(options), requestHeaders(options), parseSubject(options)];
  const query = { eoa_address: subject.eoaAddress, context_id: subject.contextId };
  return call(service, "lookUpAddressDetail", { headers, query }, (response) => dataOf("lookUpAddressDetail", response));
}
async function lookUpBatch(options) {
  const { eoaAddresses, contextId } = options;
  const [service, headers] = [parseService(options), requestHeaders(options)];
  const isList = Array.isArray(eoaAddresses) && eoaAddresses.every((address) => typeof address === "string");
  const isBatch = isList && eoaAddresses.length > 0 && eoaAddresses.length <= MAX_BATCH;
  requireOption("eoaAddresses", isBatch, `a list of 1 to ${MAX_BATCH} addresses`);
  requireContext(contextId);
  const body = { context_id: contextId, eoa_addresses: eoaAddresses };
  return call(service, "lookUpBatch", jsonRequest(headers, body), (response) => dataOf("lookUpBatch", response));
}
async function registerContext(options) {
  const { title } = options;
  const [service, headers] = [parseService(options), requestHeaders(options)];
  requireOption("title", typeof title === "string" && title !== "", "the title of the context");
  const request = jsonRequest(headers, { context_title: title });
  return call(service, "registerContext", request, (response) => dataOf("registerContext", response).context_id);
}
async function createQuote(options) {
  const { contextId, units } = options;
  const [service, headers] = [parseService(options), keyHeader(options)];
  requireContext(contextId);
  requireOption("units", Number.isSafeInteger(units) && units > 0, "a whole number above 0");
  const request = jsonRequest(headers, { context_id: contextId, units });
  return call(service, "createQuote", request, (response) => dataOf("createQuote", response));
}
async function ledgerHead(options) {
  const { saved } = options;
  const head = await callOperation("getLedgerHead", options);
  if (!saved || head.seq > saved.seq || head.seq === saved.seq && head.head === saved.head) return head;
  const fault = head.seq < saved.seq ? `ends at row ${head.seq}, before the saved row ${saved.seq}: rows were removed, or a backup was restored` : `has another head at row ${head.seq} than the saved one: it was rewritten, or is another ledger`;
  throw new VerdictError("ledger_mismatch", `The ledger ${fault}. Keep the saved head, and ask the operator.`, { status: 200 });
}
function parseOperation(operation, options) {
  const { path = {}, query, body } = options;
  requireOption("operation", Object.hasOwn(OPERATIONS, operation), "an operation id of the API");
  const service = parseService(options);
  const headers = options.idempotencyKey === void 0 ? keyHeader(options) : requestHeaders(options);
  const names = [...OPERATIONS[operation].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const isComplete = names.length === Object.keys(path).length && names.every((name) => typeof path[name] === "string" && path[name] !== "");
  requireOption("path", isComplete, "the parameters of the path");
  return { service, request: { path, query, ...body ? jsonRequest(headers, body) : { headers } } };
}
async function callOperation(operation, options) {
  const { service, request } = parseOperation(operation, options);
  return call(service, operation, request, (response) => dataOf(operation, response));
}
async function callOperationRaw(operation, options) {
  const { service, request } = parseOperation(operation, options);
  return call(service, operation, request, ({ bytes: bytes2 }) => bytes2);
}

// sdk/server/snapshot.js
var TIMEOUT_MS2 = 6e5;
var TRANSFER_TIMEOUT_MS = 12e4;
var MANIFEST_TIMEOUT_MS = 1e4;
var POLL_INTERVAL_MS = 1e3;
var requestData = (service, operation, request) => call(service, operation, request, (response) => dataOf(operation, response));
async function takeSnapshot({ timeoutMs = TIMEOUT_MS2, ...options }) {
  const { addresses, contentType = "text/csv", dryRun = false, amount, include = [], contextId, idempotencyKey } = options;
  requireOption("idempotencyKey", idempotencyKey !== void 0, "a key of your own for this snapshot, such as payout-2026-11");
  const service = { ...parseService({ ...options, timeoutMs }), attemptTimeoutMs: TRANSFER_TIMEOUT_MS };
  const headers = requestHeaders(options);
  requireContext(contextId);
  const source = addresses === void 0 ? "seen" : "upload";
  const asked = { context_id: contextId, source, amount: amount?.toString(), include };
  const json = { ...headers, "content-type": "application/json" };
  let snapshot = await requestData(service, "createSnapshot", { headers: json, body: JSON.stringify(asked) });
  if (addresses !== void 0 && snapshot.state === "uploading") {
    const file = { ...keyHeader(options), "content-type": contentType };
    const body = (
      /** @type {BodyInit} */
      addresses
    );
    const upload = { path: { id: snapshot.id }, query: uploadQuery(options), headers: file, body };
    snapshot = await requestData(service, "uploadAddresses", upload);
  }
  if (dryRun) return snapshot;
  const { summary } = snapshot;
  return { ...await waitFor2(service, keyHeader(options), snapshot, ["draft", "final"]), summary };
}
function uploadQuery({ addressColumn, amountColumn, noAmounts, unit, decimals, dryRun }) {
  const parameters = { address_column: addressColumn, amount_column: amountColumn, no_amounts: noAmounts, unit, decimals, dry_run: dryRun };
  const stated = Object.entries(parameters).filter(([, value]) => value !== void 0);
  return Object.fromEntries(stated.map(([name, value]) => [name, String(value)]));
}
async function waitFor2(service, headers, snapshot, states) {
  while (!states.includes(snapshot.state)) {
    const { id, state, pause } = snapshot;
    if (pause) throw new VerdictError("snapshot_paused", `The job of the snapshot ${id} is paused: ${pause}.`, { retryable: true });
    if (Date.now() + POLL_INTERVAL_MS >= service.deadline) {
      throw new VerdictError("timeout", `The snapshot ${id} is still ${state}. Repeat the call later.`, { retryable: true });
    }
    await sleep(POLL_INTERVAL_MS);
    snapshot = await requestData(service, "getSnapshot", { path: { id }, headers });
  }
  return snapshot;
}
function parseReference(options, timeoutMs) {
  requireOption("id", typeof options.id === "string" && options.id !== "", "the id of a snapshot");
  return { service: parseService({ timeoutMs, ...options }), request: { path: { id: options.id }, headers: keyHeader(options) } };
}
async function finalizeSnapshot(options) {
  const { service, request } = parseReference(options, TIMEOUT_MS2);
  const snapshot = await requestData(service, "finalizeSnapshot", request);
  return waitFor2(service, request.headers, snapshot, ["final"]);
}
var fileQuery = ({ format, decimals }) => ({ format, ...decimals === void 0 ? {} : { decimals: String(decimals) } });
async function downloadSnapshot(options) {
  const { service, request } = parseReference(options, TRANSFER_TIMEOUT_MS);
  const transfer = { ...service, attemptTimeoutMs: TRANSFER_TIMEOUT_MS };
  const response = await call(transfer, "getSnapshotFile", { ...request, query: fileQuery(options) }, (found) => found);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", response.bytes));
  const hexadecimal = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (response.headers.get("etag") !== `"${hexadecimal}"`) {
    throw unexpectedResponse("sends a file whose SHA-256 is not its ETag", response);
  }
  return response.bytes;
}
async function snapshotManifest(options) {
  const { service, request } = parseReference(options, MANIFEST_TIMEOUT_MS);
  return requestData(service, "getSnapshotManifest", { ...request, query: fileQuery(options) });
}

// sdk/server/webhook.js
var TOLERANCE_MS = 3e5;
var TIMESTAMP = /^\d{1,12}$/;
var TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
var ADVICE2 = {
  missing: "The request lacks a header of webhooks, so the service has not sent it. Reject it.",
  forged: "The request is not signed with one of the keys. Reject it. If the service has sent it, pass the current key of the endpoint, and the body as it was received.",
  expired: "The request is older than the tolerance. Reject it. If all requests are, set the clock of this server.",
  early: "The request is dated in the future. Reject it. If all requests are, set the clock of this server.",
  malformed: "The request is signed, but its body is not an event of the service. Read the documentation of its version."
};
var webhookError = (reason) => new VerdictError(`webhook_${reason}`, ADVICE2[reason]);
function decode2(text) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return void 0;
  }
}
async function importKey2(text) {
  const [, prefix, encoded] = /^(whsec_|whpk_)(.+)$/.exec(String(text)) ?? [];
  const bytes2 = decode2(encoded ?? "") ?? new Uint8Array();
  const isSecret = prefix === "whsec_";
  const isValid = isSecret ? bytes2.length >= 24 && bytes2.length <= 64 : bytes2.length === 32;
  requireOption("keys", isValid, "keys of the endpoint, whsec_… or whpk_…");
  if (!globalThis.crypto?.subtle) throw unsupportedRuntime();
  if (isSecret) {
    const key2 = await crypto.subtle.importKey("raw", bytes2, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    return { version: "v1", algorithm: "HMAC", key: key2 };
  }
  const key = await crypto.subtle.importKey("raw", bytes2, "Ed25519", false, ["verify"]).catch((cause) => {
    throw unsupportedRuntime(cause);
  });
  return { version: "v1a", algorithm: "Ed25519", key };
}
function header(headers, name) {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers ?? {});
  const value = entries.find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (!text) throw webhookError("missing");
  return text;
}
async function isSigned(signatures, message, keys) {
  for (const entry of signatures.split(" ")) {
    const [version, encoded = ""] = entry.split(",", 2);
    const signature = decode2(encoded) ?? new Uint8Array();
    for (const { algorithm, key } of keys.filter((candidate) => candidate.version === version)) {
      if (await crypto.subtle.verify(algorithm, key, signature, message)) return true;
    }
  }
  return false;
}
function parseEvent(id, bytes2) {
  let event;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes2));
  } catch {
    throw webhookError("malformed");
  }
  const { type, timestamp, data } = event ?? {};
  const time = TIME.test(timestamp) ? new Date(timestamp) : void 0;
  if (typeof type !== "string" || !time || Number.isNaN(time.getTime()) || data === void 0) throw webhookError("malformed");
  return { id, type, timestamp: time, data };
}
async function verifyWebhook({ body, headers, keys, now = /* @__PURE__ */ new Date(), toleranceMs = TOLERANCE_MS }) {
  const texts = [keys].flat();
  requireOption("keys", texts.length > 0, "keys of the endpoint, whsec_… or whpk_…");
  const imported = await Promise.all(texts.map(importKey2));
  requireOption("body", typeof body === "string" || body instanceof Uint8Array, "the body as it was received, a text or bytes");
  const bytes2 = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
  if (id.includes(".") || !TIMESTAMP.test(timestamp)) throw webhookError("forged");
  const age = now.getTime() - Number(timestamp) * 1e3;
  if (age > toleranceMs) throw webhookError("expired");
  if (!(age >= -toleranceMs)) throw webhookError("early");
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(prefix.length + bytes2.length);
  message.set(prefix);
  message.set(bytes2, prefix.length);
  if (!await isSigned(signatures, message, imported)) throw webhookError("forged");
  return parseEvent(id, bytes2);
}

// sdk/server.js
async function getVerdict(claim) {
  const [service, headers, subject] = [parseService(claim), requestHeaders(claim), parseSubject(claim)];
  const { claims } = decodeReceipt(claim.receipt);
  requireSubject({ contextId: claims.context, eoaAddress: claims.address }, subject);
  let receipt = null;
  try {
    receipt = await redeem(service, headers, String(claim.receipt), subject);
    return { ...await requestVerdict(service, headers, subject), receipt, failedOpen: false };
  } catch (cause) {
    if (!claim.failOpen || !(cause instanceof VerdictError) || !cause.outage) throw cause;
    return { verdict: "unknown", score: 0, receipt, failedOpen: true, reason: cause };
  }
}
export {
  VerdictError,
  callOperation,
  callOperationRaw,
  createQuote,
  downloadSnapshot,
  finalizeSnapshot,
  getVerdict,
  ledgerHead,
  lookUp,
  lookUpBatch,
  lookUpDetail,
  registerContext,
  snapshotManifest,
  takeSnapshot,
  verifyReceipt,
  verifyWebhook
};
