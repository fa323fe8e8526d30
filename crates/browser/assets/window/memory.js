/**
 * Stores for which contexts and wallets this browser has a signature: a token of the service, and a key that cannot be
 * exported. Nothing is stored in a browser without storage.
 */

/** @typedef {{key: string, token: string, secret: CryptoKey}} Kept */
/** @typedef {{key: string, secret: CryptoKey}} FrameKey */

const STORE = 'bindings';
/** Item that marks a non-empty database. Opening the database is slow, and most visitors have none. */
const MARK = 'voight-bound';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

/** @param {ArrayBuffer} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransactionMode} mode @returns {Promise<IDBObjectStore>} */
async function store(mode) {
  const opening = indexedDB.open('voight', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return (await done(opening)).transaction(STORE, mode).objectStore(STORE);
}

/** Creates a key; returns null if the browser cannot.
 * @returns {Promise<FrameKey | null>} */
export async function newKey() {
  try {
    const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    return { key: base64url(await crypto.subtle.exportKey('raw', pair.publicKey)), secret: pair.privateKey };
  } catch {
    return null;
  }
}

/** @param {string} name context and wallet @param {Kept} kept */
export async function remember(name, kept) {
  try {
    await store('readwrite').then((all) => done(all.put(kept, name)));
    localStorage.setItem(MARK, 'yes');
  } catch {
    // Without storage, the wallet is asked again next time.
  }
}

/** @param {string} name */
export async function forget(name) {
  await store('readwrite').then((all) => done(all.delete(name))).catch(() => {});
}

/**
 * Returns the proof that the wallet signed in this browser before, valid for this challenge only; null if it did not.
 *
 * @param {string} name @param {string} challenge
 * @returns {Promise<{token: string, key: string, proof: string} | null>}
 */
export async function recall(name, challenge) {
  try {
    if (!localStorage.getItem(MARK)) return null;
    const { token, key, secret } = /** @type {Kept} */ (await store('readonly').then((all) => done(all.get(name))));
    const text = new TextEncoder().encode(challenge);
    const proof = base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, secret, text));
    return { token, key, proof };
  } catch {
    return null;
  }
}
