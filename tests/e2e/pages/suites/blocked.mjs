// Checks with a missing part: they are completed without it, or end in one named error.
import { calm } from '../lib/browser.mjs';
import { filtered, silent } from './blocked/filtered.mjs';
import { lacking } from './blocked/lacking.mjs';
import { proxied } from './blocked/proxied.mjs';

export const launch = calm;
export const cases = { ...filtered, ...proxied, ...lacking };
export const full = silent;
