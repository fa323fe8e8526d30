// Switch of the colours, copy buttons, and the current heading in the list of contents.
(() => {
  const NEXT = { auto: 'light', light: 'dark', dark: 'auto' };
  const { dataset } = document.documentElement;
  const button = document.querySelector('.theme');

  const label = () => {
    const prefix = document.createElement('span');
    prefix.textContent = 'Theme:';
    const value = dataset.theme ?? 'auto';
    button.replaceChildren(prefix, value);
    button.setAttribute('aria-label', `Theme: ${value}`);
  };
  button.hidden = false;
  label();
  button.addEventListener('click', () => {
    const theme = NEXT[dataset.theme ?? 'auto'];
    if (theme === 'auto') delete dataset.theme;
    else dataset.theme = theme;
    try {
      localStorage.setItem('voight-theme', theme);
    } catch {
      // The choice lasts until the page is left.
    }
    label();
  });

  if (navigator.clipboard) {
    for (const block of document.querySelectorAll('pre')) {
      const copy = document.createElement('button');
      copy.type = 'button';
      copy.className = 'copy';
      copy.textContent = 'Copy';
      copy.addEventListener('click', async () => {
        await navigator.clipboard.writeText(block.textContent);
        copy.textContent = 'Copied';
        setTimeout(() => (copy.textContent = 'Copy'), 1500);
      });
      const frame = document.createElement('div');
      frame.className = 'code';
      block.replaceWith(frame);
      frame.append(block, copy);
    }
  }

  const links = new Map([...document.querySelectorAll('.toc a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = [...document.querySelectorAll('main h2[id], main h3[id]')].filter(({ id }) => links.has(id));
  const mark = () => {
    const passedHeadings = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const current = links.get((passedHeadings.at(-1) ?? headings[0])?.id);
    for (const link of links.values()) link.classList.toggle('current', link === current);
  };
  if (links.size) {
    addEventListener('scroll', mark, { passive: true });
    mark();
  }

  const pages = document.getElementById('pages');
  const page = pages.querySelector('[aria-current]');
  const reveal = () => {
    if (page) pages.scrollTop = page.offsetTop - pages.clientHeight / 2;
  };
  pages.addEventListener('toggle', reveal);
  reveal();
})();
