/** What a page gets whose origin, or context, the service refuses: the reason, and no code that looks at anything. */

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

// As in window.js.
begin().catch(() => {});
