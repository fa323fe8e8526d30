// Cases for every property, event, callback, method and state of the element.
import { events } from './properties/events.mjs';
import { values } from './properties/values.mjs';
import { messages, moreMessages } from './properties/messages.mjs';
import { methods } from './properties/methods.mjs';
import { modes } from './properties/modes.mjs';

export const cases = { ...values, ...modes, ...events, ...methods, ...messages };
export const full = moreMessages;
