// Browsers that lack a feature, or deny it to third-party frames. The check is completed without it.
import { completes } from '../../lib/between.mjs';

const REFUSE = `const refuse = () => { throw new DOMException('refused', 'SecurityError'); };
  const hide = (name) => Object.defineProperty(globalThis, name, { get: refuse, configurable: true });`;

/** Runs a script in the window before its own scripts. @param {string} source @returns {import('../../lib/between.mjs').Rules} */
const first = (source) => [
  [/^\/window\/v1\?/, { rewritten: (text) => text.replace('<head>', '<head><script src="/window/v1/first.js"></script>') }],
  [/first\.js/, { status: 200, headers: { 'content-type': 'text/javascript' }, body: `${REFUSE} ${source}` }],
];

/** Scripts that remove a feature of the window. */
const LACKS = {
  'no workers': 'hide("Worker");',
  'no WebGL': `for (const type of [HTMLCanvasElement, OffscreenCanvas]) {
    const { getContext } = type.prototype;
    type.prototype.getContext = function (kind, ...more) { return kind === '2d' ? getContext.call(this, kind, ...more) : null; };
  }`,
  'no canvas': 'HTMLCanvasElement.prototype.getContext = () => null; hide("OffscreenCanvas");',
  'a canvas that throws': 'HTMLCanvasElement.prototype.getContext = HTMLCanvasElement.prototype.toDataURL = refuse;',
  'a canvas with noise': 'HTMLCanvasElement.prototype.toDataURL = () => `data:,${Math.random()}`;',
  'no audio': 'hide("OfflineAudioContext");',
  'no IndexedDB': 'hide("indexedDB");',
  'no storage for third-party frames': 'for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) hide(name);',
  'no WebCrypto, as on an insecure origin': 'Object.defineProperty(Crypto.prototype, "subtle", { value: undefined });',
  'no ResizeObserver': 'delete globalThis.ResizeObserver;',
  'no client hints': 'delete Navigator.prototype.userAgentData;',
};

export const lacking = Object.fromEntries(
  Object.entries(LACKS).map(([title, source]) => [title, (stage) => completes(stage, first(source))]),
);
