// Search over the texts of all sections. The index is loaded when it is first needed.
(() => {
  const MAX_MATCHES = 8;
  const MAX_RESULTS = 50;
  const NOTHING = 'No section has these words.';
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
        address: `${root}${p}${anchor && '#'}${anchor}`,
        title: heading && heading !== t ? `${t}: ${heading}` : t,
        text,
        heading: heading.toLowerCase(),
        page: t.toLowerCase(),
        lower: text.toLowerCase(),
      })),
    );

  const count = (text, term) => text.split(term).length - 1;
  const startsWord = (text, term) => new RegExp(`(^|[^\\p{L}\\p{N}])${term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u').test(text);

  /** Returns the weight of a section, or 0 if it lacks one of the terms. */
  function weight(section, terms) {
    let total = 0;
    for (const term of terms) {
      const found =
        (startsWord(section.heading, term) ? 20 : 0) +
        (startsWord(section.page, term) ? (section.heading ? 8 : 24) : 0) +
        (startsWord(section.lower, term) ? 3 : 0) +
        Math.min(4, count(section.lower, term));
      if (!found) return 0;
      total += found;
    }
    return total;
  }

  async function find(text, limit) {
    const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!terms.length) return [];
    const weighed = (await load()).map((section) => [weight(section, terms), section]).filter(([value]) => value);
    return weighed.sort(([a], [b]) => b - a).slice(0, limit).map(([, section]) => ({ ...section, terms }));
  }

  /** Appends the text with its terms marked. */
  function appendMarked(element, text, terms) {
    const pattern = new RegExp(`(${terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
    for (const [at, part] of text.split(pattern).entries()) {
      const node = at % 2 ? document.createElement('mark') : document.createTextNode(part);
      if (at % 2) node.textContent = part;
      element.append(node);
    }
  }

  function excerpt({ text, lower, terms }) {
    const first = Math.max(0, Math.min(...terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)) - 50);
    if (!Number.isFinite(first)) return text.slice(0, 160);
    return `${first ? '…' : ''}${text.slice(first, first + 160)}${text.length > first + 160 ? '…' : ''}`;
  }

  function list(found) {
    const items = document.createElement('ul');
    for (const section of found) {
      const link = document.createElement('a');
      link.href = section.address;
      const title = document.createElement('strong');
      appendMarked(title, section.title, section.terms);
      const words = document.createElement('span');
      appendMarked(words, excerpt(section), section.terms);
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
    const own = ++latest;
    if (!query.value.trim()) return close();
    const found = await find(query.value, MAX_MATCHES);
    if (own !== latest) return;
    const summary = document.createElement('p');
    summary.setAttribute('role', 'status');
    summary.textContent = found.length ? 'Press Enter for all results.' : NOTHING;
    panel.replaceChildren(list(found), summary);
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

  if (results) {
    const text = new URLSearchParams(location.search).get('q') ?? '';
    query.value = text;
    if (text.trim()) showResults(text).catch(({ message }) => (results.textContent = message));
    else results.textContent = 'Type words into the field above.';
  }
})();
