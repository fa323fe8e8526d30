/** Entry point of the window: connects to the page, then runs checks until one is completed or the window is closed. */

import { runCheck } from './check.js';
import { initDisclosure } from './disclosure.js';
import { startEvidence } from './evidence.js';
import { Failure } from './failure.js';
import { connectToHost } from './port.js';
import { loadTexts } from './strings.js';
import { startWorker } from './work.js';
import * as view from './view.js';

/** @typedef {import('./port.js').Host} Host */

const { context = '', origin = '', test } = document.documentElement.dataset;

/** @param {string} url @returns {string} its origin, or an empty text if the URL is invalid */
function parseOrigin(url) {
  try {
    return new URL(url).origin;
  } catch {
    return '';
  }
}

/** Runs a check, and shows its failure with a button to retry. @param {import('./check.js').Parts} parts */
async function attempt(parts) {
  const { host } = parts;
  try {
    if (parseOrigin(host.init.originSite) !== origin) throw new Failure('origin_mismatch', false);
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

async function start() {
  // The page responds while the other parts are set up.
  const connection = connectToHost(origin);
  const evidence = startEvidence();
  const worker = startWorker();
  await loadTexts(document.documentElement.lang);
  const host = await connection;
  host.on('theme', view.applyTheme);
  view.init(host, test === 'true');
  initDisclosure(context);
  await attempt({ evidence, worker, host });
}

// Errors are ignored: the page's watchdog reports a window that could not start, and the visitor's console stays empty.
start().catch(() => {});
