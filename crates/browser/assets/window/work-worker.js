/** Solves the proof of work outside of the main thread, and reports the worker's view of the browser. */

import { copy } from './collect/copy.js';
import { search } from './puzzle.js';

postMessage({ t: 'copy', copy: copy(self) });

addEventListener('message', ({ data }) => {
  for (let from = 0; ; from += 4096) {
    const n = search(data.salt, data.bits, from, 4096);
    if (n >= 0) return postMessage({ t: 'solved', salt: data.salt, n });
  }
});
