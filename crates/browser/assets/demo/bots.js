/** Commands that run an automated browser with another wallet; each wallet has a panel with its verdict. */

import { verdictPanel } from './verdict.js';

const PAUSE_MS = 3000;
/** Maximum number of lookups of a panel, because each one is billed. */
const MOST_QUESTIONS = 200;

/** @typedef {{title: string, command: string, address: string}} Command */

/** Creates a command with a button that copies it. @param {{title?: string, command: string}} command */
export function commandNode({ title = '', command }) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById('bot-command'));
  const node = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const copy = /** @type {HTMLButtonElement} */ (node.querySelector('button'));
  const text = /** @type {HTMLElement} */ (node.querySelector('pre'));
  const heading = /** @type {HTMLElement} */ (node.querySelector('h3'));
  heading.textContent = title;
  heading.hidden = !title;
  text.textContent = command;
  copy.addEventListener('click', async () => {
    const copied = await navigator.clipboard?.writeText(command).then(() => true, () => false);
    copy.textContent = copied ? 'Copied' : 'Selected';
    if (!copied) getSelection()?.selectAllChildren(text);
    setTimeout(() => (copy.textContent = 'Copy'), 2000);
  });
  return node;
}

/** @param {ReturnType<typeof verdictPanel>} panel @param {string} address */
async function keepAsking(panel, address) {
  for (let asked = 0; asked < MOST_QUESTIONS; ) {
    if (!document.hidden) {
      asked += 1;
      const answer = await panel.ask(address);
      if (answer?.body?.data?.isBot) return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** @param {Command[]} list */
export function commands(list) {
  const place = /** @type {HTMLElement} */ (document.getElementById('bots'));
  for (const address of new Set(list.map((command) => command.address))) {
    const group = document.createElement('div');
    const panel = verdictPanel();
    group.className = 'bot';
    const listed = document.createElement('div');
    listed.append(...list.filter((command) => command.address === address).map(commandNode));
    group.append(listed, panel.node);
    place.append(group);
    keepAsking(panel, address);
  }
  if (list.length === 0) place.textContent = 'This demo was started without commands.';
}
