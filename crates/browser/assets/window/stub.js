/** Document for a page whose origin or context the service rejects: reports the reason, and contains no code that collects evidence. */

import { Failure } from './failure.js';
import { connectToHost } from './port.js';
import { loadTexts } from './strings.js';
import * as view from './view.js';

const { origin = '', status = 'internal', reference = '' } = document.documentElement.dataset;

async function start() {
  await loadTexts(document.documentElement.lang);
  const host = await connectToHost(origin);
  view.init(host, false);
  const close = () => host.send({ t: 'close' });
  view.showFailed(new Failure(status, false, reference), close, close);
  // A document that could not be served may be requested again, by another click.
  host.send({ t: 'error', code: status, retryable: status === 'internal', reference });
}

// Errors are ignored, as in window.js.
start().catch(() => {});
