// Fake window: it sends hello to the page, records its messages, and sends the messages of a test. It produces the
// situations that the real window does not produce on request.

import { frameWith, eventsOf } from './quest.mjs';

const SCRIPT = `
  window.received = [];
  addEventListener('message', ({ data, ports }) => {
    if (data.t !== 'init' || window.port) return;
    received.push(data);
    window.port = ports[0];
    port.onmessage = (event) => received.push(event.data);
    port.postMessage({ t: 'ready', nonce: data.nonce });
  });
  parent.postMessage({ p: 'voight/1', t: 'hello' }, '*');
`;

/** Returns an unsigned receipt. @param {number} [seconds] its life */
export const receipt = (seconds = 600) =>
  ['{}', `{"iat":1000,"exp":${1000 + seconds}}`, ''].map((part) => Buffer.from(part).toString('base64url')).join('.');

/** Replaces the service's window by a fake, on another site than the pages.
 * @template {{site: import('./site.mjs').Site}} S @param {S} stage @param {string} [script] */
export function fakeWindow(stage, script = SCRIPT) {
  stage.site.put('/window/v1', `<!doctype html><title>Fake window</title><body data-view="fake"><script>${script}</script>`);
  return { ...stage, service: { url: stage.site.origin.replace('127.0.0.1', 'localhost') } };
}

/** Returns the frame of the fake window once it has received the parameters of the check. @param {import('puppeteer-core').Page} tab */
export async function connectedFake(tab) {
  const frame = await frameWith(tab, () => Boolean(window.port));
  if (frame) return frame;
  throw new Error(`the fake window received nothing; the events of the page are ${JSON.stringify(await eventsOf(tab))}`);
}

/** Makes the fake window send a message to the page, a moment later, because the message may be its last.
 * @param {import('puppeteer-core').Page} tab @param {...object} messages */
export async function sendFromFake(tab, ...messages) {
  const later = (messages) => void setTimeout(() => messages.forEach((message) => window.port.postMessage(message)), 20);
  await (await connectedFake(tab)).evaluate(later, messages);
}

/** Returns the messages of the page to the fake window. @param {import('puppeteer-core').Page} tab @returns {Promise<any[]>} */
export const received = async (tab) => (await connectedFake(tab)).evaluate(() => window.received);
