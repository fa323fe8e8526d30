/** Worker that solves proofs of work; without a worker, the main thread solves them in chunks. */

import { solve } from './proof-of-work.js';

/** @typedef {{salt: string, bits: number}} Work */

/** Attempts of the main thread between two pauses. */
const CHUNK = 512;

/** Returns the worker's URL, which Trusted Types require to be a typed value.
 * @returns {string} */
function workerUrl() {
  const url = '/window/v1/work-worker.js';
  const types = /** @type {any} */ (globalThis).trustedTypes;
  return types ? types.createPolicy('voight', { createScriptURL: () => url }).createScriptURL(url) : url;
}

/** @param {Work} work */
async function solveOnMainThread({ salt, bits }) {
  for (let from = 0; ; from += CHUNK) {
    const n = solve(salt, bits, from, CHUNK);
    if (n >= 0) return String(n);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** @param {Worker} worker @param {Work} work @returns {Promise<string>} */
const solveInWorker = (worker, work) =>
  new Promise((resolve) => {
    worker.addEventListener('message', ({ data }) => {
      if (data.t === 'solved' && data.salt === work.salt) resolve(String(data.n));
    });
    worker.postMessage(work);
  });

/** Starts the worker. */
export function startWorker() {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Promise<Record<string, unknown> | null>} */
  let copied = Promise.resolve(null);
  /** @type {Promise<never>} */
  let failed = new Promise(() => {});
  try {
    const started = new Worker(workerUrl(), { type: 'module' });
    worker = started;
    failed = new Promise((_, reject) => started.addEventListener('error', () => reject(new Error('worker'))));
    copied = new Promise((resolve) => {
      started.addEventListener('message', ({ data }) => data.t === 'copy' && resolve(data.copy));
      started.addEventListener('error', () => resolve(null));
    });
  } catch {
    worker = null;
  }
  failed.catch(() => {});

  return {
    /** Values of the browser as seen by a worker; null without a worker. */
    copied,
    /** @param {Work} work @returns {Promise<string>} */
    solve: (work) =>
      worker ? Promise.race([solveInWorker(worker, work), failed]).catch(() => solveOnMainThread(work)) : solveOnMainThread(work),
  };
}
