/** Document for a page whose origin or context the service rejects: reports the reason, and contains no code that collects evidence. */

import { Failure } from './failure.js';
import { greet } from './port.js';
import { load } from './strings.js';
import * as view from './view.js';

const { origin = '', status = 'internal' } = document.documentElement.dataset;

async function begin() {
  await load(document.documentElement.lang);
  const host = await greet(origin);
  view.start(host, false);
  const close = () => host.send({ t: 'close' });
  view.showFailed(new Failure(status, false), close, close);
  host.send({ t: 'error', code: status, retryable: false, reference: '' });
}

// Errors are ignored, as in window.js.
begin().catch(() => {});
