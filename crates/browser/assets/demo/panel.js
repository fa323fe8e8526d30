/** Panel with a request of the backend and its response. */

/** @typedef {{request: string, status: number, body: any}} Reading */

/** Splits pretty-printed JSON into spans for syntax colours.
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

/** Creates a panel whose finding, badge and meaning `read` derives from a response.
 * @param {(reading: Reading | null) => [string, string, string]} read
 * @param {boolean} open `true` if request and response are visible without a click */
export function panel(read, open) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById('panel'));
  const node = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  const details = /** @type {HTMLDetailsElement} */ (node.querySelector('details'));
  details.open = open;
  const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (node.querySelector('.' + name));
  return {
    node,
    /** @param {Reading | null} reading */
    show(reading) {
      const [finding, badge, meaning] = read(reading);
      node.dataset.finding = finding;
      find('badge').textContent = badge;
      find('meaning').textContent = meaning;
      details.hidden = !reading;
      find('request').textContent = (reading?.request ?? '').replace(/[?&]/g, '\n  $&');
      find('answer').replaceChildren(...(reading ? coloured(reading.body) : []));
    },
  };
}
