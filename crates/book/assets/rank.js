// Ranking of the search: pure functions on words and sections. `search.js` and tests use it as `globalThis.voightRank`.
(() => {
  /** Words of questions that say nothing about their subject. */
  const STOP_WORDS = new Set(
    ('a about after all an and any are as at be been before but by can cannot could did do does for from get gets had happen happens has have how i if in into is it ' +
      'its many me much my no not of on or our shall should so some that the their them then there these they this to too us use using want was we were ' +
      'what when where which who whom why will with without work works would you your').split(' '),
  );
  /** Words of visitors and operators with the words that the pages have for them. */
  const SYNONYMS = {
    account: 'client address', aml: 'privacy', airdrop: 'reward snapshot merkle', appeal: 'override correct', banned: 'flag bot', block: 'flag', broken: 'error failed',
    charge: 'bill price cost', collect: 'privacy evidence', compliance: 'privacy', compliant: 'privacy', color: 'colour theme', compromised: 'leaked', cost: 'price bill', crash: 'reliability fault kill', credential: 'key', csv: 'export upload',
    customise: 'theme', customize: 'theme', dark: 'theme', delete: 'erase', docker: 'container image', domain: 'origin', expensive: 'price', export: 'download',
    false: 'correct override', fast: 'performance latency', forget: 'erase', gdpr: 'privacy erase', ha: 'cluster', https: 'tls proxy', human: 'person',
    iframe: 'embed frame', kubernetes: 'helm chart container', language: 'locale localisation', limit: 'cap rate', lost: 'leaked restore', migrate: 'move copy',
    mistake: 'correct override', money: 'price invoice', monitor: 'metrics alert', monitoring: 'metrics alert', nginx: 'proxy', nft: 'reward', pay: 'invoice price bill',
    pricing: 'price', personal: 'privacy', prometheus: 'metrics', remove: 'erase delete', replace: 'rotate', reset: 'rotate replace', rotate: 'replace', scale: 'cluster', secure: 'protect',
    slow: 'performance latency', speed: 'performance', ssl: 'tls proxy', stolen: 'leaked', style: 'theme', test: 'sandbox tutorial', throttle: 'rate', token: 'key',
    translate: 'locale localisation', try: 'tutorial sandbox', typescript: 'types javascript', unknown: 'unsure', upgrade: 'update release', wallet: 'address', wrong: 'correct override',
  };
  /** Directories with their factor: pages that answer questions come before those that list facts or changes. */
  const FACTORS = [
    ['guides/', 1.3],
    ['tutorial/', 1.3],
    ['changelog', 0.4],
    ['results/', 0.4],
    ['repository/crates/', 0.5],
    ['repository/', 0.8],
    ['reference/admin-openapi', 0.7],
    ['reference/test-results', 0.4],
    ['contributing', 0.6],
  ];
  const WEIGHTS = { page: 9, heading: 7, text: 1.5, repeated: 0.5 };
  const MAX_REPEATED = 4;
  const SYNONYM_FACTOR = 0.5;
  /** Sections of one page among the results that are listed first. */
  const MAX_OF_PAGE = 2;

  /** Returns the beginning that the forms of an English word share: `rotat` of rotate, rotates, rotated and rotating. */
  function stem(word) {
    if (word.length < 4 || /[^a-z]/.test(word)) return word;
    const singular = word.replace(/ies$/, 'y').replace(/(ss|sh|ch|x)es$/, '$1').replace(/([^s])s$/, '$1');
    const bare = singular.replace(/(ing|ed|er|ation|ion)$/, (ending, _, at) => (at >= 4 ? '' : ending));
    return bare.length > 4 ? bare.replace(/(.)\1$/, '$1').replace(/e$/, '') : bare;
  }

  /** Returns the words of a query without those that say nothing, unless it has no others. */
  function words(query) {
    const words = query.toLowerCase().replaceAll('’', "'").split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}_/-]+|[^\p{L}\p{N}_/]+$|'s$/gu, ''));
    const present = [...new Set(words.filter(Boolean))];
    const telling = present.filter((word) => !STOP_WORDS.has(word));
    return telling.length ? telling : present;
  }

  const escapeRegex = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = (start) => new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegex(start)}`, 'gu');

  /** Returns the words of a query, each with the patterns that find it and the words that stand for it. */
  const terms = (query) =>
    words(query).map((word) => {
      const synonyms = (SYNONYMS[word] ?? SYNONYMS[stem(word)] ?? '').split(' ').filter(Boolean);
      const forms = [[stem(word), 1], ...synonyms.map((synonym) => [stem(synonym), SYNONYM_FACTOR])];
      return { word, patterns: forms.map(([start, factor]) => [pattern(start), factor]) };
    });

  const count = (text, regex) => text.match(regex)?.length ?? 0;

  /** Returns the weight of a pattern in a section. */
  function weightOf({ heading, page, lower }, regex) {
    const isIntroduction = !heading;
    const inPage = count(page, regex) ? WEIGHTS.page * (isIntroduction ? 1 : 0.5) : 0;
    const inHeading = count(heading, regex) ? WEIGHTS.heading : 0;
    const occurrences = count(lower, regex);
    return inPage + inHeading + (occurrences ? WEIGHTS.text + WEIGHTS.repeated * Math.min(MAX_REPEATED, occurrences) : 0);
  }

  const factorOf = (path) => FACTORS.find(([start]) => path.startsWith(start))?.[1] ?? 1;

  /**
   * Returns the sections that have at least half of the words, the best ones first.
   *
   * A word weighs more the fewer sections have it. The third and later sections of a page follow those of other pages.
   * @param {{path: string, page: string, heading: string, lower: string}[]} sections `page`, `heading` and `lower` in lower case
   * @param {string} query
   */
  function rank(sections, query) {
    const queryTerms = terms(query);
    if (!queryTerms.length) return [];
    const weights = queryTerms.map(({ patterns }) =>
      sections.map((section) => Math.max(...patterns.map(([regex, factor]) => factor * weightOf(section, regex)))));
    const rarities = weights.map((row) => Math.log(1 + sections.length / (1 + row.filter(Boolean).length)));
    const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
    const weightedSections = sections.map((section, at) => {
      const matchShare = rarities.filter((_, term) => weights[term][at]).reduce((sum, rarity) => sum + rarity, 0) / total;
      const weight = weights.reduce((sum, row, term) => sum + row[at] * rarities[term], 0);
      return { section, weight: matchShare < 0.5 ? 0 : weight * matchShare ** 2 * factorOf(section.path) };
    });
    return spread(weightedSections.filter(({ weight }) => weight).sort((a, b) => b.weight - a.weight).map(({ section }) => section));
  }

  /** Moves the sections of a page that has enough of them behind those of other pages. */
  function spread(sections) {
    const counts = new Map();
    const isFirst = sections.map(({ path }) => {
      counts.set(path, (counts.get(path) ?? 0) + 1);
      return counts.get(path) <= MAX_OF_PAGE;
    });
    return [...sections.filter((_, at) => isFirst[at]), ...sections.filter((_, at) => !isFirst[at])];
  }

  globalThis.voightRank = { rank, terms };
})();
