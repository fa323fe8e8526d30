/** Times at which keys were pressed and durations until they were released; never their names. */

import { Rows, tenths } from './units.js';

export const keyRows = new Rows(200);
/** Row of each pressed key, by the name of the key. The names are not submitted.
 * @type {Map<string, number[]>} */
const held = new Map();

export function watchKeys() {
  addEventListener(
    'keydown',
    (event) => {
      const row = [tenths(event.timeStamp), -1, (event.isTrusted ? 1 : 0) | (event.repeat ? 2 : 0)];
      keyRows.add(row);
      if (!event.repeat) held.set(event.code || event.key, row);
    },
    { capture: true, passive: true },
  );
  addEventListener(
    'keyup',
    (event) => {
      const name = event.code || event.key;
      const row = held.get(name);
      if (row) row[1] = tenths(event.timeStamp) - row[0];
      held.delete(name);
    },
    { capture: true, passive: true },
  );
}

/** Waits up to 200 ms for the release of pressed keys, so that their rows are complete. */
export async function keysReleased() {
  for (let tries = 0; held.size > 0 && tries < 10; tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  held.clear();
}
