// What a back end of a quest does, whichever framework it is written with.
export { claim } from './claim.js';
export { config } from './config.js';
export { holder } from './ticket.js';
export { vouch } from './vouch.js';
