/**
 * Stores in this browser that a wallet has signed for a context: a token of the service, and a key that cannot be exported.
 * Nothing is stored in a browser without storage.
 */

/** @typedef {{key: string, secret: CryptoKey}} FrameKey */
/** @typedef {FrameKey & {token: string}} TrustedKey */

const STORE = 'bindings';
/** Item that is set if the database is not empty. Opening the database is slow, and most visitors have none. */
const STORED_FLAG = 'voight-bound';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

/** @param {ArrayBuffer} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, (char) => ({ '+': '-', '/': '_' })[char] ?? '');

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBTransactionMode} mode @returns {Promise<IDBObjectStore>} */
async function openStore(mode) {
  const opening = indexedDB.open('voight', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return (await result(opening)).transaction(STORE, mode).objectStore(STORE);
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

/** Stores a key. @param {string} name context and wallet @param {TrustedKey} trustedKey */
export async function save(name, trustedKey) {
  try {
    await openStore('readwrite').then((store) => result(store.put(trustedKey, name)));
    localStorage.setItem(STORED_FLAG, 'yes');
  } catch {
    // Without storage, the wallet is asked again next time.
  }
}

/** Deletes a key. @param {string} name context and wallet */
export async function remove(name) {
  await openStore('readwrite').then((store) => result(store.delete(name))).catch(() => {});
}

/**
 * Returns the proof that the wallet signed in this browser before, valid for this challenge only; null if it did not.
 *
 * @param {string} name context and wallet @param {string} challenge
 * @returns {Promise<{token: string, key: string, proof: string} | null>}
 */
export async function load(name, challenge) {
  try {
    if (!localStorage.getItem(STORED_FLAG)) return null;
    const { token, key, secret } = /** @type {TrustedKey} */ (await openStore('readonly').then((store) => result(store.get(name))));
    const text = new TextEncoder().encode(challenge);
    const proof = base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, secret, text));
    return { token, key, proof };
  } catch {
    return null;
  }
}
