// Everything that can go wrong, and what the page and the visitor are left with: a named error, and a way on.
import { connection } from './failures/connection.mjs';
import { platform } from './failures/platform.mjs';
import { refused } from './failures/refused.mjs';
import { signing, slowSigning } from './failures/signing.mjs';
import { silence, longSilence } from './failures/silence.mjs';

export const cases = { ...connection, ...silence, ...refused, ...platform, ...signing };
export const full = { ...longSilence, ...slowSigning };
