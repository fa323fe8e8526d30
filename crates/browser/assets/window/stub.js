/** What a page gets whose origin, or context, the service refuses: the reason, and no code that looks at anything. */

import { Failure } from './failure.js';
import { greet } from './port.js';
import { load } from './strings.js';
import * as view from './view.js';

const { origin = '', status = 'internal' } = document.documentElement.dataset;

await load(document.documentElement.lang);
// A page from a file has the origin `null`, which nothing can be addressed to; a refusal may be heard by anybody.
const host = await greet(/^https?:/.test(origin) ? origin : '*');
view.start(host, false);
const close = () => host.send({ t: 'close' });
view.showFailed(new Failure(status, false), close, close);
host.send({ t: 'error', code: status, retryable: false, reference: '' });
