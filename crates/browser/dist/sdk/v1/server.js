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
function need(name, good, right) {
  if (!good) throw new VerdictError("invalid_argument", `${name} must be ${right}.`);
}
function isOrigin(text) {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}
function reach({ baseUrl, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch }) {
  need("baseUrl", isOrigin(baseUrl), "the origin of the service, such as https://voight.example");
  need("timeoutMs", timeoutMs > 0, "a number of milliseconds above 0");
  need("fetch", typeof fetch === "function", "a function; this runtime has none of its own");
  return { baseUrl, fetch, deadline: Date.now() + timeoutMs };
}
function subject({ eoaAddress, contextId }) {
  const address = String(eoaAddress).toLowerCase();
  need("eoaAddress", ADDRESS.test(address), "0x followed by 40 hexadecimal digits");
  need("contextId", typeof contextId === "string" && contextId !== "", "the id of a context that was registered");
  return { eoaAddress: address, contextId };
}
var unique = () => globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
function credentials({ apiKey, idempotencyKey = unique() }) {
  need("apiKey", /^vgt_\w+$/.test(apiKey), "an API key, vgt_live_… or vgt_test_…");
  need("idempotencyKey", /^[\w.:-]{1,255}$/.test(idempotencyKey), "at most 255 letters, digits, '_', '.', ':' or '-'");
  return { "x-api-key": apiKey, "idempotency-key": idempotencyKey };
}

// sdk/server/receipt.js
var MAX_LENGTH = 2048;
var FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;
var ADVICE = {
  missing: "The request has no receipt, so no check was completed for it. Reject it, or let the visitor complete a check.",
  forged: "This receipt is not signed by the service, or is of a context of another API key. Refuse.",
  used: "This receipt was redeemed before. Refuse, or let the visitor complete another check; to ask again for the same claim, pass the same idempotencyKey.",
  expired: "This receipt is older than ten minutes. Let the visitor complete another check.",
  mismatch: "This receipt is for another address or context than the verdict is asked for. Refuse, or let the visitor complete a check with this wallet."
};
var refused = (reason, occurrence) => new VerdictError(`receipt_${reason}`, ADVICE[reason], occurrence);
var bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
function decode(part) {
  const value = JSON.parse(new TextDecoder().decode(bytes(part)));
  if (typeof value !== "object" || value === null) throw new TypeError("no object");
  return value;
}
function read(token) {
  if (typeof token !== "string" || token === "") throw refused("missing");
  if (token.length > MAX_LENGTH || !FORM.test(token)) throw refused("forged");
  const [header, payload, signature] = token.split(".");
  try {
    return { header: decode(header), claims: decode(payload), signed: `${header}.${payload}`, signature: bytes(signature) };
  } catch {
    throw refused("forged");
  }
}
function match(told, asked, occurrence) {
  const same = String(told.eoaAddress).toLowerCase() === asked.eoaAddress && told.contextId === asked.contextId;
  if (!same) throw refused("mismatch", occurrence);
}

// sdk/server/call.js
var TRY_MS = 4e3;
var PAUSE_MS = 250;
var PASSING = [409, 429, 502, 503, 504];
var sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
var reference = (headers) => headers.get("x-request-id") ?? "";
function foreign(what, { status, headers }) {
  const message = `What answers at baseUrl ${what}, as Voight never does. Is baseUrl the origin of the service?`;
  return new VerdictError("bad_answer", message, { status, reference: reference(headers) });
}
async function ask({ baseUrl, fetch, deadline }, path, init) {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(TRY_MS, deadline - Date.now())));
  const response = await fetch(new URL(path, baseUrl), { ...init, redirect: "manual", signal });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
function json({ headers, text }) {
  if (!headers.get("content-type")?.startsWith("application/json")) return void 0;
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function judge(answer, understand) {
  const { status, headers } = answer;
  const body = json(answer);
  const { code, message } = body?.error ?? {};
  const occurrence = { status, retryable: PASSING.includes(status) || status >= 500, reference: reference(headers) };
  if (status < 200 || status >= 300 && status < 400) return foreign("redirects to another address", answer);
  if (status === 200) return understand(body) ?? foreign("says something else", answer);
  if (typeof code === "string") return new VerdictError(code.toLowerCase(), String(message), occurrence);
  if (!occurrence.retryable) return foreign(`says ${status} without a word of JSON`, answer);
  return new VerdictError("unavailable", `The service, or a proxy before it, answers ${status}. Try again later.`, occurrence);
}
function delay({ status, headers }, pause) {
  if (!PASSING.includes(status)) return Infinity;
  const seconds = Number(headers.get("retry-after") ?? NaN);
  return Math.max(pause, seconds > 0 ? seconds * 1e3 : 0);
}
async function call(service, path, init, understand) {
  for (let pause = PAUSE_MS * (1 + Math.random()); ; pause *= 2) {
    const answer = await ask(service, path, init).catch((cause) => new Silence(service, cause));
    const outcome = answer instanceof Silence ? answer.error : judge(answer, understand);
    if (!(outcome instanceof VerdictError)) return outcome;
    const wait = answer instanceof Silence ? pause : delay(answer, pause);
    if (Date.now() + wait >= service.deadline) throw outcome;
    await sleep(wait);
  }
}
var Silence = class {
  /** @param {Service} service @param {unknown} cause */
  constructor({ baseUrl }, cause) {
    const message = `The service does not answer at ${baseUrl}. Is it running, and reachable from here?`;
    this.error = new VerdictError("unreachable", message, { retryable: true, cause });
  }
};

// sdk/server/requests.js
var STATUSES = ["valid", "used", "expired", "forged"];
async function redeem(service, headers, token, asked) {
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
  if (data.status !== "valid") throw refused(data.status, { status: 200 });
  const receipt = {
    contextId: data.context_id,
    eoaAddress: String(data.eoa_address).toLowerCase(),
    origin: data.origin,
    pinned: data.pinned,
    bound: data.bound,
    test: data.test,
    issuedAt: new Date(data.issued_at),
    expiresAt: new Date(data.expires_at)
  };
  match(receipt, asked);
  return receipt;
}
function look(service, headers, { eoaAddress, contextId }) {
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
var known = /* @__PURE__ */ new Map();
var unsupported = (cause) => new VerdictError("unsupported_runtime", "This runtime has no Ed25519 in WebCrypto. Use Node.js 20 or later, or getVerdict.", { cause });
async function named({ kid, kty, crv, x, retired_at: retired }, place) {
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]).catch((cause) => {
    throw unsupported(cause);
  });
  const until = place === 0 && !retired ? Infinity : Date.parse(retired ?? "") / 1e3 + RETIREMENT_MARGIN;
  return [kid, { key, until }];
}
async function fetchKeys(service) {
  const set = await call(service, "/.well-known/voight-keys.json", {}, (body) => Array.isArray(body?.keys) ? body.keys : void 0);
  return new Map(await Promise.all(set.filter((jwk) => jwk?.crv === "Ed25519").map(named)));
}
function keysOf(service, younger) {
  const before = known.get(service.baseUrl);
  if (before && Date.now() - before.at < younger) return before;
  const keys = fetchKeys(service);
  const now = { at: Date.now(), keys };
  known.set(service.baseUrl, now);
  const kept = before && { at: Date.now() - MAX_AGE_MS + REFETCH_MS, keys: before.keys };
  keys.catch(() => kept ? known.set(service.baseUrl, kept) : known.delete(service.baseUrl));
  return now;
}
var date = (seconds) => new Date(seconds * 1e3);
async function keyOf(service, kid) {
  const before = known.get(service.baseUrl);
  const fresh = keysOf(service, MAX_AGE_MS).keys;
  const keys = await (before ? fresh.catch(() => before.keys) : fresh);
  return keys.get(kid) ?? (await keysOf(service, REFETCH_MS).keys).get(kid);
}
async function verifyReceipt(options) {
  const service = reach(options);
  const asked = subject(options);
  const { header, claims, signed, signature } = read(options.receipt);
  if (!globalThis.crypto?.subtle) throw unsupported();
  const { alg, kid, typ } = header;
  const key = alg === "EdDSA" && typ === "voight-receipt+jwt" ? await keyOf(service, kid) : void 0;
  const good = key && await crypto.subtle.verify("Ed25519", key.key, signature, new TextEncoder().encode(signed));
  if (!good || !(claims.iat <= key.until)) throw refused("forged");
  const { context, address, origin, pinned, bound, test, iat, exp } = claims;
  const receipt = { contextId: context, eoaAddress: address, origin, pinned, bound, test, issuedAt: date(iat), expiresAt: date(exp) };
  if (!(Date.now() < receipt.expiresAt.getTime())) throw refused("expired");
  match(receipt, asked);
  return receipt;
}

// sdk/server.js
async function getVerdict(claim) {
  const [service, headers, asked] = [reach(claim), credentials(claim), subject(claim)];
  const { claims } = read(claim.receipt);
  match({ contextId: claims.context, eoaAddress: claims.address }, asked);
  let receipt = null;
  try {
    receipt = await redeem(service, headers, String(claim.receipt), asked);
    return { ...await look(service, headers, asked), receipt, failedOpen: false };
  } catch (cause) {
    if (!claim.failOpen || !(cause instanceof VerdictError) || !cause.outage) throw cause;
    return { verdict: "unknown", score: 0, receipt, failedOpen: true, reason: cause };
  }
}
export {
  VerdictError,
  getVerdict,
  verifyReceipt
};
