// Lifecycle of a check: clicks, changes, moves, removal, leaving the page and returning, time.
import { changes } from './lifecycle/changes.mjs';
import { clicks } from './lifecycle/clicks.mjs';
import { time } from './lifecycle/time.mjs';

export const cases = { ...clicks, ...changes, ...time };
