/** Frame of the window, and the handshake with it. */

const PROTOCOL = 'voight/1';
const MAX_MESSAGE_LENGTH = 65536;
/** Delay before a closed frame is removed. */
const REMOVAL_DELAY_MS = 100;
/** Timeouts for the window's `hello`: after the frame was loaded, and after it was requested. Not every browser reports a
 * failed load. */
export const HELLO_TIMEOUT_MS = 1000;
const LOAD_TIMEOUT_MS = 8000;

/** @returns {string} 128 random bits in hexadecimal */
const randomNonce = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {unknown} data @returns {data is Record<string, any>} */
const isMessage = (data) =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && JSON.stringify(data).length <= MAX_MESSAGE_LENGTH;

/**
 * Creates the frame. `init` may be called before the window has sent `hello`; the properties are sent once, after it.
 *
 * @param {string} url
 * @param {(message: Record<string, any>) => void} receive
 * @param {() => void} onLoaded called when a document was loaded, including the browser's own error page, or forbidden by the page
 * @param {() => void} onReplaced called when another document has replaced the window
 */
export function connect(url, receive, onLoaded, onReplaced) {
  const node = document.createElement('iframe');
  const service = new URL(url).origin;
  const nonce = randomNonce();
  /** @type {Record<string, unknown> | null} */
  let pendingInit = null;
  let helloReceived = false;
  let isForbidden = false;
  /** @type {MessagePort | null} */
  let port = null;
  let isAuthenticated = false;
  const createdAt = performance.now();
  let loadedAt = Infinity;

  node.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  node.setAttribute('allow', '');
  node.referrerPolicy = 'origin';
  node.height = '480';
  node.src = url;
  node.addEventListener('load', () => {
    if (port && loadedAt < Infinity) onReplaced();
    loadedAt = performance.now();
    // A closed frame is inert until it is removed.
    if (!node.inert) onLoaded();
  });

  /** @param {SecurityPolicyViolationEvent} event */
  const onViolation = ({ disposition, effectiveDirective, blockedURI }) => {
    const isFrame = /^(frame|child|default)-src/.test(effectiveDirective) && blockedURI.startsWith(service);
    if (!isFrame || disposition !== 'enforce') return;
    isForbidden = true;
    onLoaded();
  };
  document.addEventListener('securitypolicyviolation', onViolation);

  const sendInit = () => {
    if (!helloReceived || !pendingInit || port || !node.contentWindow) return;
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => {
      if (!isMessage(data)) return;
      if (data.t === 'ready') isAuthenticated = data.nonce === nonce;
      if (isAuthenticated) receive(data);
    };
    node.contentWindow.postMessage({ p: PROTOCOL, t: 'init', nonce, ...pendingInit }, service, [channel.port2]);
  };

  /** @param {MessageEvent} event */
  const onHello = (event) => {
    if (event.source !== node.contentWindow || event.origin !== service) return;
    if (!isMessage(event.data) || event.data.p !== PROTOCOL || event.data.t !== 'hello') return;
    removeEventListener('message', onHello);
    helloReceived = true;
    sendInit();
  };
  addEventListener('message', onHello);

  return {
    node,
    /** Returns `true` if a document was loaded, including the browser's own error page. */
    isLoaded: () => loadedAt < Infinity,
    /** Returns `true` if the document is the window, which sends `hello` before it is loaded. */
    isWindow: () => helloReceived,
    /** Returns `true` if the content security policy of the page forbids the frame. */
    isForbidden: () => isForbidden,
    /** Returns `true` if the timeout for `hello` has expired. */
    isUnresponsive: () => !helloReceived && performance.now() > Math.min(loadedAt + HELLO_TIMEOUT_MS, createdAt + LOAD_TIMEOUT_MS),
    /** @param {Record<string, unknown>} properties */
    init(properties) {
      pendingInit = properties;
      sendInit();
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
      removeEventListener('message', onHello);
      document.removeEventListener('securitypolicyviolation', onViolation);
      port?.close();
      node.inert = true;
      // The removal is delayed, because the click on the frame's close button may still be in progress.
      if (node.isConnected) setTimeout(() => node.remove(), REMOVAL_DELAY_MS);
      else node.remove();
    },
  };
}
