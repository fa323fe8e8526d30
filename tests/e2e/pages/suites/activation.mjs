// Pages that act on a press without its click: nothing of a press reaches them before the check, and all of it once after it.
import { libraries, moreLibraries } from './activation/libraries.mjs';
import { listeners, moreListeners } from './activation/listeners.mjs';
import { parts } from './activation/parts.mjs';

export const cases = { ...listeners, ...parts, ...libraries };
export const full = { ...moreListeners, ...moreLibraries };
