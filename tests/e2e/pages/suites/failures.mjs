// Every failure, with its results for the page and the visitor: a named error, and a way to continue.
import { connection, moreConnection } from './failures/connection.mjs';
import { morePlatform, platform } from './failures/platform.mjs';
import { moreRefused, refused } from './failures/refused.mjs';
import { moreSigning, signing } from './failures/signing.mjs';
import { moreSilence, silence } from './failures/silence.mjs';

export const cases = { ...connection, ...silence, ...refused, ...platform, ...signing };
export const full = { ...moreConnection, ...moreSilence, ...moreRefused, ...morePlatform, ...moreSigning };
