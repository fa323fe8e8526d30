/** Commands that run an automated browser with another wallet, and a panel with the verdict on each wallet. */

import { verdictPanel } from './verdict.js';

const PAUSE_MS = 3000;
/** Maximum number of lookups of a panel, because each one is billed. */
const MAX_LOOKUPS = 200;

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

/** Looks a wallet up until it is a bot's, while the page is visible. @param {ReturnType<typeof verdictPanel>} panel @param {string} address */
async function pollVerdict(panel, address) {
  for (let count = 0; count < MAX_LOOKUPS; ) {
    if (!document.hidden) {
      count += 1;
      const exchange = await panel.lookUp(address);
      if (exchange?.body?.data?.isBot) return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Adds the commands to the page. @param {Command[]} list */
export function showCommands(list) {
  const container = /** @type {HTMLElement} */ (document.getElementById('bots'));
  for (const address of new Set(list.map((command) => command.address))) {
    const group = document.createElement('div');
    const panel = verdictPanel();
    group.className = 'bot';
    const commands = document.createElement('div');
    commands.append(...list.filter((command) => command.address === address).map(commandNode));
    group.append(commands, panel.node);
    container.append(group);
    pollVerdict(panel, address);
  }
  if (list.length === 0) container.textContent = 'This demo was started without commands.';
}
