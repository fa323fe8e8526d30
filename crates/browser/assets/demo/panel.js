/** Panel with a request of the backend and its response. */

/** @typedef {{request: string, status: number, body: any}} Exchange request of the backend, and the response */

/** Splits pretty-printed JSON into spans for syntax colours.
 * @param {unknown} body */
function highlight(body) {
  const tokens = JSON.stringify(body, null, 2).split(/("[^"]*"(?::)?|\btrue\b|\bfalse\b|-?\d+(?:\.\d+)?)/);
  return tokens.map((token) => {
    const span = document.createElement('span');
    span.textContent = token;
    if (token.endsWith('":')) span.className = 'name';
    else if (token.startsWith('"')) span.className = 'text';
    else if (/^[-\dtf]/.test(token)) span.className = 'value';
    return span;
  });
}

/** Creates a panel.
 * @param {(exchange: Exchange | null) => [string, string, string]} describe returns finding, badge and meaning of a response
 * @param {boolean} open `true` if request and response are visible without a click */
export function createPanel(describe, open) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById('panel'));
  const node = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const details = /** @type {HTMLDetailsElement} */ (node.querySelector('details'));
  details.open = open;
  const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (node.querySelector('.' + name));
  return {
    node,
    /** @param {Exchange | null} exchange */
    show(exchange) {
      const [finding, badge, meaning] = describe(exchange);
      node.dataset.finding = finding;
      find('badge').textContent = badge;
      find('meaning').textContent = meaning;
      details.hidden = !exchange;
      find('request').textContent = (exchange?.request ?? '').replace(/[?&]/g, '\n  $&');
      find('response').replaceChildren(...(exchange ? highlight(exchange.body) : []));
    },
  };
}
