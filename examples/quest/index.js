// Back end logic of a quest, independent of the framework.
export { claim } from './claim.js';
export { config } from './config.js';
export { holder } from './ticket.js';
export { vouch } from './vouch.js';
