// Modules of the window in a DOM emulator without a browser. This program plays the host page.
import { createContext, runInContext, SourceTextModule } from 'node:vm';
import { AGENT, variant } from './browser.mjs';
import { ADDRESS, CONTEXT, SERVICE, sleep } from './protocol.mjs';

const [page] = process.argv.slice(2);
/** `true` if the emulator imitates a browser: its user agent, media queries, times of events, and all events of a press. */
const DRESSED = variant.endsWith('dressed');
const ORIGIN = new URL(page).origin;
const ADDRESS_OF_WINDOW = `${SERVICE}/window/v1?context=${encodeURIComponent(CONTEXT)}&origin=${encodeURIComponent(ORIGIN)}`;
const html = await (await fetch(ADDRESS_OF_WINDOW)).text();

async function emulate() {
  if (variant.startsWith('jsdom')) {
    const { JSDOM, ResourceLoader, VirtualConsole } = await import('jsdom');
    const agent = DRESSED && ResourceLoader ? { resources: new ResourceLoader({ userAgent: AGENT }) } : {};
    const dom = new JSDOM(html, { url: ADDRESS_OF_WINDOW, runScripts: 'outside-only', pretendToBeVisual: true, virtualConsole: new VirtualConsole(), ...agent });
    return { window: dom.window, context: dom.getInternalVMContext() };
  }
  const { Window } = await import('happy-dom');
  const window = new Window({ url: ADDRESS_OF_WINDOW, ...(DRESSED && { settings: { navigator: { userAgent: AGENT } } }) });
  window.document.write(html);
  return { window, context: createContext(window) };
}

const { window, context } = await emulate();
let ending = null;
provide();
await play();

/** Functions that the emulator lacks and the window needs. The author of any such bot would add them. */
function provide() {
  const lacking = {
    fetch: (path, options) => fetch(new URL(path, SERVICE), { ...options, signal: undefined, cache: undefined, credentials: undefined, headers: { ...options?.headers, ...(DRESSED && { 'user-agent': AGENT }) } }),
    matchMedia: (query) => ({ matches: DRESSED && /hover: hover|pointer: fine/.test(query), addEventListener() {} }),
    ResizeObserver: class { observe() {} disconnect() {} },
    AbortSignal, AbortController, MessageChannel, TextEncoder, TextDecoder, Intl, structuredClone, performance, crypto,
  };
  for (const [name, value] of Object.entries(lacking)) {
    if (DRESSED || !(name in window) || ['fetch', 'AbortSignal', 'AbortController', 'matchMedia'].includes(name)) {
      Object.defineProperty(window, name, { value, configurable: true, writable: true });
    }
  }
  if (DRESSED) {
    // Events of the emulator carry the time of day, where browsers count from the start of the document.
    const times = new WeakMap();
    const timeStamp = { configurable: true, get() { return times.get(this) ?? (times.set(this, performance.now()), times.get(this)); } };
    Object.defineProperty(window.Event.prototype, 'timeStamp', timeStamp);
  }
  for (const name of ['outerWidth', 'outerHeight', 'screenX', 'screenY', 'devicePixelRatio']) window[name] ??= 0;
  const boxes = { stage: [16, 96, 348, 260], press: [0, 0, 132, 56] };
  const box = (element) => {
    const [x, y, width, height] = boxes[element.id] ?? [0, 0, 380, 420];
    if (element.id !== 'press') return { x, y, width, height, left: x, top: y, right: x + width, bottom: y + height };
    const [left, top] = [boxes.stage[0] + parseFloat(element.style.left || 0), boxes.stage[1] + parseFloat(element.style.top || 0)];
    return { x: left, y: top, width, height, left, top, right: left + width, bottom: top + height };
  };
  const prototype = window.HTMLElement.prototype;
  window.Element.prototype.getBoundingClientRect = function () { return box(this); };
  for (const [name, member] of [['clientWidth', 'width'], ['clientHeight', 'height'], ['offsetWidth', 'width'], ['offsetHeight', 'height']]) {
    Object.defineProperty(prototype, name, { configurable: true, get() { return box(this)[member]; } });
  }
}

/** Modules of the window, fetched as a browser would fetch them. */
async function load() {
  const cache = new Map();
  const link = (specifier, from) => {
    const url = new URL(specifier, from.identifier).href;
    if (!cache.has(url)) cache.set(url, fetch(url).then(async (answer) => make(await answer.text(), url)));
    return cache.get(url);
  };
  const make = (text, identifier) =>
    new SourceTextModule(text, {
      context, identifier,
      initializeImportMeta: (meta) => { meta.url = identifier; },
      importModuleDynamically: async (specifier, from) => { const module = await link(specifier, from); await settle(module); return module; },
    });
  const settle = async (module) => {
    if (module.status === 'unlinked') await module.link(link);
    if (module.status === 'linked') await module.evaluate();
  };
  const script = window.document.querySelector('script[type="module"]');
  const entry = await link(script.getAttribute('src'), { identifier: ADDRESS_OF_WINDOW });
  await settle(entry);
}

async function play() {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    if (data.t === 'done') ending = 'completed';
    if (data.t === 'error') ending = data.code === 'check_failed' ? 'rejected' : `the window reported ${data.code}`;
    if (data.t === 'counts') port1.postMessage({ t: 'counts', hostCounts: null });
  };
  const init = { p: 'voight/1', t: 'init', nonce: '00'.repeat(16), originSite: `${ORIGIN}/`, eoaAddress: ADDRESS, contextId: CONTEXT, hostCounts: { ms: 900, move: 0, down: 0, up: 0, click: 1, key: 0, touch: 0, wheel: 0, scroll: 0, untrusted: 1 } };
  window.postMessage = () => {
    const event = new window.Event('message');
    for (const [name, value] of Object.entries({ data: init, origin: ORIGIN, source: runInContext('parent', context), ports: [port2] })) Object.defineProperty(event, name, { value });
    setTimeout(() => window.dispatchEvent(event));
  };
  const loading = load().catch((cause) => cause);
  let lastRole = null;
  for (let tries = 0; tries < 500 && ending === null; tries += 1) {
    const button = window.document.querySelector('#press');
    if (button && button.dataset.role !== lastRole) {
      lastRole = button.dataset.role;
      await sleep(150);
      press(button);
    }
    await sleep(40);
    const cause = await Promise.race([loading, sleep(0)]);
    if (cause instanceof Error || cause?.stack) throw cause;
  }
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ ended: ending ?? 'the window did not end', cpu_seconds: (user + system) / 1e6 }));
  process.exit(0);
}

/** Clicks by the method `click`, or with all the events that a mouse would cause. */
function press(button) {
  if (!DRESSED) return button.click();
  const { x, y, width, height } = button.getBoundingClientRect();
  const position = { clientX: x + width / 2, clientY: y + height / 2, screenX: x + 500, screenY: y + 400, bubbles: true, cancelable: true, composed: true, pointerType: 'mouse', isPrimary: true, detail: 1 };
  const send = (type, more) => button.dispatchEvent(new (window.PointerEvent ?? window.MouseEvent)(type, { ...position, ...more }));
  for (let step = 0; step < 12; step += 1) send('pointermove', { clientX: position.clientX - 120 + step * 10 });
  send('pointerdown', { buttons: 1, pressure: 0.5 });
  send('pointerup', {});
  send('click', {});
}
