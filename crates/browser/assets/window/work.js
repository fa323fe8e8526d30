/** The worker that solves puzzles; where there is no worker the main thread does it in slices. */

import { search } from './puzzle.js';

const SLICE = 512;

/** A worker's address is a sink that Trusted Types guard.
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
    /** What a worker sees, null where there is none. */
    copied,
    /** @param {{salt: string, bits: number}} puzzle @returns {Promise<string>} */
    solve: (puzzle) =>
      worker ? Promise.race([ask(worker, puzzle), broken]).catch(() => solveHere(puzzle)) : solveHere(puzzle),
  };
}
