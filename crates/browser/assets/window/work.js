/** Worker that solves proofs of work; without a worker, the main thread solves them in slices. */

import { search } from './puzzle.js';

const SLICE = 512;

/** Returns the worker's URL, which Trusted Types require to be a typed value.
 * @returns {string} */
function address() {
  const script = '/window/v1/work-worker.js';
  const types = /** @type {any} */ (globalThis).trustedTypes;
  return types ? types.createPolicy('voight', { createScriptURL: () => script }).createScriptURL(script) : script;
}

/** @param {{salt: string, bits: number}} puzzle */
async function solveHere({ salt, bits }) {
  for (let from = 0; ; from += SLICE) {
    const n = search(salt, bits, from, SLICE);
    if (n >= 0) return String(n);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

export function startWorker() {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Promise<Record<string, unknown> | null>} */
  let copied = Promise.resolve(null);
  /** @type {Promise<never>} */
  let broken = new Promise(() => {});
  try {
    const made = new Worker(address(), { type: 'module' });
    worker = made;
    broken = new Promise((_, reject) => made.addEventListener('error', () => reject(new Error('worker'))));
    copied = new Promise((resolve) => {
      made.addEventListener('message', ({ data }) => data.t === 'copy' && resolve(data.copy));
      made.addEventListener('error', () => resolve(null));
    });
  } catch {
    worker = null;
  }
  broken.catch(() => {});

  /** @param {Worker} at @param {{salt: string, bits: number}} puzzle @returns {Promise<string>} */
  const ask = (at, puzzle) =>
    new Promise((resolve) => {
      at.addEventListener('message', ({ data }) => {
        if (data.t === 'solved' && data.salt === puzzle.salt) resolve(String(data.n));
      });
      at.postMessage(puzzle);
    });

  return {
    /** Values of the browser as seen by a worker; null without a worker. */
    copied,
    /** @param {{salt: string, bits: number}} puzzle @returns {Promise<string>} */
    solve: (puzzle) =>
      worker ? Promise.race([ask(worker, puzzle), broken]).catch(() => solveHere(puzzle)) : solveHere(puzzle),
  };
}
