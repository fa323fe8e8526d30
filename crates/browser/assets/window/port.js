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

/**
 * Connection to the host page.
 *
 * @typedef {object} Host
 * @property {Init} init
 * @property {(message: Record<string, unknown>) => void} send
 * @property {(t: string, handler: (message: any) => void) => void} on
 * @property {(t: string, fields: Record<string, unknown>, timeoutMs?: number) => Promise<any>} ask resolves to null after the timeout
 */

/** Sends `hello` to the page's origin and waits for `init`.
 * @param {string} origin @returns {Promise<Host>} */
export function connectToHost(origin) {
  return new Promise((resolve) => {
    /** @param {MessageEvent} event */
    const onInit = (event) => {
      const isHost = event.origin === origin && event.source === parent && event.data?.p === PROTOCOL;
      if (!isHost || event.data.t !== 'init' || !event.ports[0]) return;
      removeEventListener('message', onInit);
      resolve(createHost(event.ports[0], event.data));
    };
    addEventListener('message', onInit);
    parent.postMessage({ p: PROTOCOL, t: 'hello' }, origin);
  });
}

/** @param {MessagePort} port @param {Init} init @returns {Host} */
function createHost(port, init) {
  /** Handlers by message type.
   * @type {Map<string, (message: any) => void>} */
  const handlers = new Map();
  port.onmessage = ({ data }) => handlers.get(data?.t)?.(data);
  const send = (/** @type {Record<string, unknown>} */ message) => port.postMessage(message);
  send({ t: 'ready', nonce: init.nonce });
  /** @type {Host['ask']} */
  const ask = (t, fields, timeoutMs) =>
    new Promise((resolve) => {
      if (timeoutMs) setTimeout(resolve, timeoutMs, null);
      handlers.set(t, resolve);
      send({ t, ...fields });
    });
  return { init, send, on: (t, handler) => handlers.set(t, handler), ask };
}
