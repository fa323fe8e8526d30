/** A panel with the backend's request and what it was answered. */

/** @typedef {{request: string, status: number, body: any}} Answer */

/** @param {string} address @returns {Promise<Answer | null>} */
async function look(address) {
  try {
    const response = await fetch(`/demo/verdict?address=${encodeURIComponent(address)}`, { cache: 'no-store' });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** @param {Answer | null} answer @returns {[string, string, string]} finding, badge, meaning */
function read(answer) {
  const data = answer?.body?.data;
  if (!answer) return ['none', 'No answer', 'The demo’s server does not answer.'];
  if (!data) return ['none', `Error ${answer.status}`, 'The service answered with an error.'];
  const { isBot, confidence } = data;
  if (isBot) return ['bot', 'Bot', `A bot was detected, with confidence ${confidence.score}.`];
  if (confidence.score === 0) return ['none', 'Not known', 'No evidence either way, so no certainty.'];
  return ['human', 'No bot', `No bot was detected, with confidence ${confidence.score}.`];
}

/** Splits pretty-printed JSON into marked pieces, for colours.
 * @param {unknown} body */
function coloured(body) {
  const pieces = JSON.stringify(body, null, 2).split(/("[^"]*"(?::)?|\btrue\b|\bfalse\b|-?\d+(?:\.\d+)?)/);
  return pieces.map((piece) => {
    const span = document.createElement('span');
    span.textContent = piece;
    if (piece.endsWith('":')) span.className = 'name';
    else if (piece.startsWith('"')) span.className = 'text';
    else if (/^[-\dtf]/.test(piece)) span.className = 'value';
    return span;
  });
}

export function verdictPanel() {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById('verdict-panel'));
  const node = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (node.querySelector('.' + name));
  return {
    node,
    /** @param {string} address */
    async ask(address) {
      const answer = await look(address);
      const [finding, badge, meaning] = read(answer);
      node.dataset.finding = finding;
      find('badge').textContent = badge;
      find('meaning').textContent = meaning;
      find('request').textContent = (answer?.request ?? '').replace(/[?&]/g, '\n  $&');
      find('answer').replaceChildren(...(answer ? coloured(answer.body) : []));
      return answer;
    },
  };
}
