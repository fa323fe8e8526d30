/** Solves proofs of work outside of the main thread, and reports values of the browser as seen by a worker. */

import { copy } from './collect/copy.js';
import { solve } from './proof-of-work.js';

postMessage({ t: 'copy', copy: copy(self) });

addEventListener('message', ({ data }) => {
  for (let from = 0; ; from += 4096) {
    const n = solve(data.salt, data.bits, from, 4096);
    if (n >= 0) return postMessage({ t: 'solved', salt: data.salt, n });
  }
});
