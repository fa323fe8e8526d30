// Every property, event, callback, method and state of the element.
import { events } from './properties/events.mjs';
import { given } from './properties/given.mjs';
import { methods } from './properties/methods.mjs';
import { modes } from './properties/modes.mjs';

export const cases = { ...given, ...modes, ...events, ...methods };
