// Browser with a visible window, driven only by the Input and DOM domains of the bare protocol: no Runtime domain, no
// library.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FLAGS, NEXT, curve, page, sleep, somewhere } from './browser.mjs';

const profile = mkdtempSync(join(tmpdir(), 'cdp-'));
const browser = spawn(process.env.CHROMIUM, [...FLAGS, '--remote-debugging-port=0', `--user-data-dir=${profile}`, page], { stdio: 'ignore' });
const port = await until(() => readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0]);
const target = await until(async () => {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
  return targets.find(({ type, url }) => type === 'page' && url.startsWith(page));
});
const socket = new WebSocket(target.webSocketDebuggerUrl);
await new Promise((resolve) => socket.addEventListener('open', resolve));
const waiting = new Map();
let count = 0;
let frame;
socket.addEventListener('message', ({ data }) => {
  const { id, result, method, params } = JSON.parse(data);
  waiting.get(id)?.(result);
  // The document of the window is cross-site, so it is a separate target.
  if (method === 'Target.attachedToTarget' && params.targetInfo.type === 'iframe') frame = params.sessionId;
});

const send = (method, params = {}, sessionId) =>
  new Promise((resolve) => {
    count += 1;
    waiting.set(count, resolve);
    socket.send(JSON.stringify({ id: count, method, params, sessionId }));
  });

/** Returns the result of a function that may fail for a while. */
async function until(look) {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      const result = await look();
      if (result) return result;
    } catch {
      // Not ready yet.
    }
    await sleep(80);
  }
  throw new Error('it did not appear');
}

/** Returns the box of an element in the viewport of its document. */
async function box(selector, session) {
  const { root } = await send('DOM.getDocument', {}, session);
  const { nodeId } = await send('DOM.querySelector', { nodeId: root.nodeId, selector }, session);
  return boxOf({ nodeId }, session);
}

async function boxOf(node, session) {
  const { model } = await send('DOM.getBoxModel', node, session);
  return { x: model.border[0], y: model.border[1], width: model.width, height: model.height };
}

/** Returns the box of the window's frame on the page, which is in the shadow root of the component. */
async function offset() {
  const { root } = await send('DOM.getDocument', { depth: -1, pierce: true });
  const find = (node) => (node.nodeName === 'IFRAME' ? node : [...(node.shadowRoots ?? []), ...(node.children ?? [])].map(find).find(Boolean));
  return boxOf({ nodeId: find(root).nodeId });
}

let at = { x: 400, y: 500 };
async function press(target) {
  const to = somewhere(target);
  for (const { x, y, wait } of curve(at, to)) {
    await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: Math.round(x), y: Math.round(y) });
    await sleep(wait);
  }
  at = { x: Math.round(to.x), y: Math.round(to.y) };
  const button = { ...at, button: 'left', clickCount: 1, pointerType: 'mouse' };
  await send('Input.dispatchMouseEvent', { type: 'mousePressed', buttons: 1, force: 0.5, ...button });
  await sleep(70 + Math.random() * 60);
  await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button });
}

const hasEnded = async () => /\/(claimed|failed)\?/.test((await send('Page.getNavigationHistory')).entries.at(-1).url);
await send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
const [claim, ...targets] = NEXT;
await sleep(800);
await press(await until(() => box(claim)));
for (const selector of targets) {
  const target = await until(async () => (await hasEnded()) || (await box(selector, frame)));
  if (target === true) break;
  await sleep(150);
  const from = await offset();
  await press({ ...target, x: target.x + from.x, y: target.y + from.y });
}
await until(hasEnded);
browser.kill('SIGKILL');
process.exit(0);
