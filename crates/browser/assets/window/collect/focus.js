/** Changes of the focus and of the page's visibility. */

import { Rows, role, tenths } from './units.js';

export const focusRows = new Rows(100);
export const visibilityRows = new Rows(50);

export function watchFocus() {
  ['focus', 'blur'].forEach((type, kind) => {
    addEventListener(type, (event) => focusRows.add([kind, tenths(event.timeStamp), role(event.target)]), true);
  });
  document.addEventListener('visibilitychange', (event) => {
    visibilityRows.add([tenths(event.timeStamp), document.hidden ? 1 : 0]);
  });
}
