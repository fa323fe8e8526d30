/** Frame of the window and the handshake with it. */

const PROTOCOL = 'voight/1';
const MAX_MESSAGE = 65536;
const LINGER_MS = 100;
/** Timeouts for the greeting of the window: after the frame was loaded, and after it was requested. Not every browser
 * reports a failed load. */
const HELLO_MS = 1000;
const LOAD_MS = 8000;

/** @returns {string} 128 random bits in hexadecimal */
const nonce = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {unknown} data @returns {data is Record<string, any>} */
const plain = (data) =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && JSON.stringify(data).length <= MAX_MESSAGE;

/**
 * Creates the frame. `init` may be called before the window's greeting; the properties are sent once, after the greeting.
 *
 * @param {string} address
 * @param {(message: Record<string, any>) => void} receive
 * @param {() => void} lost called when another document has replaced the window
 */
export function connect(address, receive, lost) {
  const node = document.createElement('iframe');
  const service = new URL(address).origin;
  const secret = nonce();
  /** @type {Record<string, unknown> | null} */
  let waiting = null;
  let greeted = false;
  /** @type {MessagePort | null} */
  let port = null;
  let trusted = false;
  const began = performance.now();
  let loadedAt = Infinity;

  node.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  node.setAttribute('allow', '');
  node.referrerPolicy = 'origin';
  node.height = '480';
  node.src = address;
  node.addEventListener('load', () => {
    if (port && loadedAt < Infinity) lost();
    loadedAt = performance.now();
  });

  const answer = () => {
    if (!greeted || !waiting || port || !node.contentWindow) return;
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => {
      if (!plain(data)) return;
      if (data.t === 'ready') trusted = data.nonce === secret;
      if (trusted) receive(data);
    };
    node.contentWindow.postMessage({ p: PROTOCOL, t: 'init', nonce: secret, ...waiting }, service, [channel.port2]);
  };

  /** @param {MessageEvent} event */
  const hear = (event) => {
    if (event.source !== node.contentWindow || event.origin !== service) return;
    if (!plain(event.data) || event.data.p !== PROTOCOL || event.data.t !== 'hello') return;
    removeEventListener('message', hear);
    greeted = true;
    answer();
  };
  addEventListener('message', hear);

  return {
    node,
    /** Returns `true` if a document was loaded, including the browser's own error page. */
    loaded: () => loadedAt < Infinity,
    /** Returns `true` if the timeout for the greeting has expired. */
    silent: () => !greeted && performance.now() > Math.min(loadedAt + HELLO_MS, began + LOAD_MS),
    /** @param {Record<string, unknown>} properties */
    init(properties) {
      waiting = properties;
      answer();
    },
    /** @param {Record<string, unknown>} message */
    send(message) {
      port?.postMessage(message);
    },
    /** @param {unknown} height */
    resize(height) {
      if (typeof height === 'number' && height > 0 && height < 4000) node.height = String(Math.ceil(height));
    },
    close() {
      removeEventListener('message', hear);
      port?.close();
      node.inert = true;
      // Kept for a moment, because the click on its close button may still be in progress.
      if (node.isConnected) setTimeout(() => node.remove(), LINGER_MS);
      else node.remove();
    },
  };
}
