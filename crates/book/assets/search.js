// Search over the texts of all sections. The index is loaded when it is first needed.
(() => {
  const MAX_MATCHES = 8;
  const MAX_RESULTS = 50;
  const NOTHING = 'No section has these words.';
  const { rank, terms } = globalThis.voightRank;
  const { root } = document.body.dataset;
  const query = document.getElementById('query');
  const panel = document.getElementById('matches');
  const results = document.getElementById('results');
  let index;

  /** Loads the index once. */
  const load = () =>
    (index ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${root}assets/search-index.js`;
      script.onload = () => resolve(sections(window.voightSearchIndex));
      script.onerror = () => reject(new Error('the search index cannot be loaded'));
      document.head.append(script);
    }));

  const sections = (pages) =>
    pages.flatMap(({ p, t, s }) =>
      s.map(([anchor, heading, text]) => ({
        path: p,
        address: `${root}${p}${anchor && '#'}${anchor}`,
        title: heading && heading !== t ? `${t}: ${heading}` : t,
        text,
        heading: heading.toLowerCase(),
        page: t.toLowerCase(),
        lower: text.toLowerCase(),
      })),
    );

  async function find(text, limit) {
    const markedTerms = new RegExp(`(${terms(text).flatMap(({ patterns }) => patterns.map(([{ source }]) => source)).join('|')})`, 'giu');
    return rank(await load(), text).slice(0, limit).map((section) => ({ ...section, marked: markedTerms }));
  }

  /** Appends the text with its terms marked. */
  function appendMarked(element, text, marked) {
    for (const [at, part] of text.split(marked).entries()) {
      const node = at % 2 ? document.createElement('mark') : document.createTextNode(part);
      if (at % 2) node.textContent = part;
      element.append(node);
    }
  }

  function excerpt({ text, marked }) {
    const first = Math.max(0, text.search(marked) - 50);
    return `${first ? '…' : ''}${text.slice(first, first + 160)}${text.length > first + 160 ? '…' : ''}`;
  }

  function list(found) {
    const items = document.createElement('ul');
    for (const section of found) {
      const link = document.createElement('a');
      link.href = section.address;
      const title = document.createElement('strong');
      appendMarked(title, section.title, section.marked);
      const words = document.createElement('span');
      appendMarked(words, excerpt(section), section.marked);
      link.append(title, words);
      const item = document.createElement('li');
      item.append(link);
      items.append(item);
    }
    return items;
  }

  async function showResults(text) {
    const found = await find(text, MAX_RESULTS);
    const isCut = found.length === MAX_RESULTS;
    const sections = found.length === 1 ? 'section' : 'sections';
    document.getElementById('count').textContent = found.length ? `${isCut ? 'The first ' : ''}${found.length} ${sections}` : NOTHING;
    results.replaceChildren(list(found));
  }

  const close = () => {
    panel.hidden = true;
  };
  let latest = 0;
  query.addEventListener('focus', () => load().catch(() => {}), { once: true });
  query.addEventListener('input', async () => {
    const queryNumber = ++latest;
    if (!query.value.trim()) return close();
    const results = await find(query.value, MAX_MATCHES);
    if (queryNumber !== latest) return;
    const summary = document.createElement('p');
    summary.setAttribute('role', 'status');
    summary.textContent = results.length ? 'Press Enter for all results.' : NOTHING;
    panel.replaceChildren(list(results), summary);
    panel.hidden = false;
  });

  // Arrow keys move between the field and the matches.
  query.form.addEventListener('keydown', (event) => {
    const places = [query, ...panel.querySelectorAll('a')];
    const at = places.indexOf(document.activeElement);
    if (event.key === 'Escape' && !panel.hidden) {
      close();
      query.focus();
    } else if (!panel.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      places[(at + (event.key === 'ArrowDown' ? 1 : -1) + places.length) % places.length].focus();
    }
  });
  query.form.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && !query.form.contains(relatedTarget) && close());
  document.addEventListener('click', ({ target }) => query.form.contains(target) || close());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.matches('input, textarea, [contenteditable]') || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    query.focus();
  });

  // The page for missing pages proposes the words of its address.
  const secondInput = document.querySelector('.again input');
  if (secondInput) secondInput.value = location.pathname.split('/').at(-1).replace(/\.\w+$/, '').replace(/%20|[-_]/g, ' ');

  if (results) {
    const text = new URLSearchParams(location.search).get('q') ?? '';
    query.value = text;
    if (text.trim()) showResults(text).catch(({ message }) => (results.textContent = message));
    else results.textContent = 'Type words into the field above.';
  }
})();
