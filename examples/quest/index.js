// Back-end logic of a quest, independent of the framework.
export { claim } from './claim.js';
export { config } from './config.js';
export { createSession } from './session.js';
export { ticketAddress } from './ticket.js';
export { flaggedWallet } from './webhook.js';
