// Attacks by pages and on pages. In each the attacker gets no receipt for another origin, no finding and no evidence, and an
// honest check in the same place is completed or ends in a named error.
import { calm } from '../lib/browser.mjs';
import { documents, slow } from './hostile/documents.mjs';
import { messages } from './hostile/messages.mjs';
import { origins } from './hostile/origins.mjs';
import { pages } from './hostile/pages.mjs';
import { receipts } from './hostile/receipts.mjs';
import { requests } from './hostile/requests.mjs';

export const launch = calm;
export const cases = { ...messages, ...documents, ...origins, ...pages, ...receipts, ...requests };
export const full = slow;
