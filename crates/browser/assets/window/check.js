/** One check from its opening to its receipt. */

import * as api from './api.js';
import { bind } from './binding.js';
import { show } from './collect/layout.js';
import { Failure } from './failure.js';
import * as view from './view.js';

/** @typedef {import('./port.js').Host} Host */
/** @typedef {{evidence: ReturnType<typeof import('./evidence.js').startEvidence>, worker: ReturnType<typeof import('./work.js').startWorker>, host: Host}} Parts */

/** A check expires after five minutes. Before that, a check without input is replaced silently; one with input ends. */
const RENEW_MS = 240000;
const END_MS = 290000;
const COUNTS_MS = 150;

/** @param {string} seed 16 hexadecimal digits */
const place = (seed) => [0, 4].map((at) => parseInt(seed.slice(at, at + 4), 16) / 65535);

/** Requests the counters of the host page; null if the page does not respond in time.
 * @param {Host} host @returns {Promise<Record<string, number> | null>} */
const counts = async (host) => (await host.ask('counts', {}, COUNTS_MS))?.hostCounts ?? null;

/** @param {Parts} parts @param {string} origin */
async function openCheck({ evidence, host, worker }, origin) {
  const { contextId, eoaAddress, originSite, session } = host.init;
  const opening = api.open({ context: contextId, address: eoaAddress, origin, originSite, ...(session && { session }) });
  evidence.begin();
  const opened = await opening;
  const work = worker.solve(opened.work);
  return { opened, work };
}

/** Opens a check, proves wallet ownership if it is requested, and waits for the first press. Repeats this with a new check after a timeout.
 * @param {Parts} parts @param {string} origin */
async function begin(parts, origin) {
  for (;;) {
    const { opened: asked, work } = await openCheck(parts, origin);
    const end = AbortSignal.timeout(END_MS);
    const signal = AbortSignal.timeout(RENEW_MS);
    const opened = await bind(parts.host, asked, work, signal);
    // The interaction with the wallet is no evidence.
    if (asked.sign) parts.evidence.begin();
    const [x, y] = place(opened.layoutSeed);
    parts.host.send({ t: 'state', name: 'press' });
    const pressing = view.showTarget('first', x, y, signal, show);
    // Slow collection starts after the target is visible, while the visitor moves to it.
    requestAnimationFrame(() => setTimeout(parts.evidence.look));
    const pressed = await pressing.catch(() => null);
    if (pressed) return { opened, work, end };
    view.showChecking();
    parts.host.send({ t: 'state', name: 'checking' });
  }
}

/** @param {Parts} parts @param {api.Step | undefined} step @param {AbortSignal} end */
async function takeStep({ host }, step, end) {
  if (step?.kind !== 'press') return;
  host.send({ t: 'state', name: 'press' });
  await view.showTarget('second', step.x ?? 0, step.y ?? 0, end, show).catch(() => {
    throw new Failure('session_expired', true);
  });
}

/** @param {Parts} parts @param {string} origin @returns {Promise<string>} the receipt */
export async function runCheck(parts, origin) {
  const { evidence, host, worker } = parts;
  const { contextId, eoaAddress } = host.init;
  const ctx = { contextId, address: eoaAddress };
  view.showChecking();
  host.send({ t: 'state', name: 'checking' });

  const { opened, work, end } = await begin(parts, origin);
  view.showProgress('confirming');
  host.send({ t: 'state', name: 'confirming' });
  const solution = await work;
  const first = await evidence.first(ctx, worker.copied, host.init.hostCounts);
  const reply = api.submit(opened, solution, first);
  const linking = evidence.device();
  const { step } = await reply;
  await takeStep(parts, step, end);

  view.showProgress('confirming');
  host.send({ t: 'state', name: 'confirming' });
  const second = await evidence.second({ ...ctx, answer: step?.token }, linking, await counts(host));
  await api.submit(opened, solution, second);
  const { receipt } = await api.complete(opened, solution);
  return receipt;
}
