/** Entry point of the window: greets the page, then runs checks until one is completed or the window is closed. */

import { startAbout } from './about.js';
import { runCheck } from './check.js';
import { startEvidence } from './evidence.js';
import { Failure } from './failure.js';
import { greet } from './port.js';
import { load } from './strings.js';
import { startWorker } from './work.js';
import * as view from './view.js';

/** @typedef {import('./port.js').Host} Host */

const { context = '', origin = '', test } = document.documentElement.dataset;

/** @param {string} address */
function originOf(address) {
  try {
    return new URL(address).origin;
  } catch {
    return '';
  }
}

/** @param {import('./check.js').Parts} parts */
async function attempt(parts) {
  const { host } = parts;
  try {
    if (originOf(host.init.originSite) !== origin) throw new Failure('origin_mismatch', false);
    const receipt = await runCheck(parts, origin);
    host.on('confirmed', ({ ok, message }) => ok || view.showDeclined(message));
    view.showProgress('verified');
    host.send({ t: 'state', name: 'verified' });
    host.send({ t: 'done', receipt });
  } catch (cause) {
    const failure = cause instanceof Failure ? cause : new Failure('internal', true);
    const { code, retryable, reference } = failure;
    view.showFailed(failure, () => attempt(parts), () => host.send({ t: 'close' }));
    host.send({ t: 'error', code, retryable, reference });
  }
}

async function begin() {
  // The page answers while the rest is set up.
  const greeted = greet(origin);
  const evidence = startEvidence();
  const worker = startWorker();
  await load(document.documentElement.lang);
  const host = await greeted;
  host.on('theme', view.wear);
  view.start(host, test === 'true');
  startAbout(context);
  await attempt({ evidence, worker, host });
}

// Errors are ignored: the page's watchdog reports a window that could not start, and the visitor's console stays empty.
begin().catch(() => {});
