/** The window's side of the handshake. After it, only messages on the port are accepted. */

const PROTOCOL = 'voight/1';

/**
 * @typedef {object} Init
 * @property {string} nonce
 * @property {string} originSite
 * @property {string} eoaAddress
 * @property {string} contextId
 * @property {string} [session]
 * @property {string} [theme]
 * @property {import('../shared/palette.js').Colours} [colours]
 * @property {Record<string, number>} hostCounts
 */

/** @typedef {{init: Init, send: (message: Record<string, unknown>) => void, on: (t: string, act: (message: any) => void) => void, ask: (t: string, fields: Record<string, unknown>, patience?: number) => Promise<any>}} Host */

/** Greets the page's origin and waits for the answer.
 * @param {string} origin @returns {Promise<Host>} */
export function greet(origin) {
  return new Promise((resolve) => {
    /** @param {MessageEvent} event */
    const hear = (event) => {
      const known = event.origin === origin && event.source === parent && event.data?.p === PROTOCOL;
      if (!known || event.data.t !== 'init' || !event.ports[0]) return;
      removeEventListener('message', hear);
      resolve(host(event.ports[0], event.data));
    };
    addEventListener('message', hear);
    parent.postMessage({ p: PROTOCOL, t: 'hello' }, origin);
  });
}

/** @param {MessagePort} port @param {Init} init @returns {Host} */
function host(port, init) {
  /** @type {Map<string, (message: any) => void>} */
  const actions = new Map();
  port.onmessage = ({ data }) => actions.get(data?.t)?.(data);
  const send = (/** @type {Record<string, unknown>} */ message) => port.postMessage(message);
  send({ t: 'ready', nonce: init.nonce });
  /** @type {Host['ask']} */
  const ask = (t, fields, patience) =>
    new Promise((resolve) => {
      if (patience) setTimeout(resolve, patience, null);
      actions.set(t, resolve);
      send({ t, ...fields });
    });
  return { init, send, on: (t, act) => actions.set(t, act), ask };
}
