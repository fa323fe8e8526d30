/** When keys went down and how long they were held; never which. */

import { Rows, tenths } from './units.js';

export const keyRows = new Rows(200);
/** Which row waits for which key's release; the name of the key stays here.
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

/** Waits a moment for keys that are still down, so that their rows are whole. */
export async function keysReleased() {
  for (let tries = 0; held.size > 0 && tries < 10; tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  held.clear();
}
