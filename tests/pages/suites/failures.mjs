// Everything that can go wrong, and what the page and the visitor are left with: a named error, and a way on.
import { connection, moreConnection } from './failures/connection.mjs';
import { morePlatform, platform } from './failures/platform.mjs';
import { moreRefused, refused } from './failures/refused.mjs';
import { moreSigning, signing } from './failures/signing.mjs';
import { moreSilence, silence } from './failures/silence.mjs';

export const cases = { ...connection, ...silence, ...refused, ...platform, ...signing };
export const full = { ...moreConnection, ...moreSilence, ...moreRefused, ...morePlatform, ...moreSigning };
