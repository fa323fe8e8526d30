// Substitute for the window: it greets the page, records its messages, and sends the messages of a test. It produces the
// situations that the real window does not produce on request.

import { frameWith, told } from './quest.mjs';

const SCRIPT = `
  window.heard = [];
  addEventListener('message', ({ data, ports }) => {
    if (data.t !== 'init' || window.port) return;
    heard.push(data);
    window.port = ports[0];
    port.onmessage = (event) => heard.push(event.data);
    port.postMessage({ t: 'ready', nonce: data.nonce });
  });
  parent.postMessage({ p: 'voight/1', t: 'hello' }, '*');
`;

/** Returns an unsigned receipt. @param {number} [seconds] its life */
export const receipt = (seconds = 600) =>
  ['{}', `{"iat":1000,"exp":${1000 + seconds}}`, ''].map((part) => Buffer.from(part).toString('base64url')).join('.');

/** Replaces the service's window by a substitute, on another site than the pages.
 * @template {{site: import('./site.mjs').Site}} S @param {S} stage @param {string} [script] */
export function standIn(stage, script = SCRIPT) {
  stage.site.put('/window/v1', `<!doctype html><title>A stand-in</title><body data-view="stand-in"><script>${script}</script>`);
  return { ...stage, service: { url: stage.site.origin.replace('127.0.0.1', 'localhost') } };
}

/** Returns the substitute once it has received the parameters of the check. @param {import('puppeteer-core').Page} tab */
export async function greeted(tab) {
  const frame = await frameWith(tab, () => Boolean(window.port));
  if (frame) return frame;
  throw new Error(`the stand-in was told nothing; the page was told ${JSON.stringify(await told(tab))}`);
}

/** Makes the substitute send a message to the page, a moment later, because the message may be its last.
 * @param {import('puppeteer-core').Page} tab @param {...object} messages */
export async function say(tab, ...messages) {
  const later = (messages) => void setTimeout(() => messages.forEach((message) => window.port.postMessage(message)), 20);
  await (await greeted(tab)).evaluate(later, messages);
}

/** Returns the messages of the page to the substitute. @param {import('puppeteer-core').Page} tab @returns {Promise<any[]>} */
export const heard = async (tab) => (await greeted(tab)).evaluate(() => window.heard);
