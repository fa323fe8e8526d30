/** Values that the browser reports about itself. */

/** @param {string} query */
const media = (query) => matchMedia(query).matches;

/** @param {string} any empty or `any-` @returns {'fine' | 'coarse' | 'none'} */
const pointing = (any) =>
  media(`(${any}pointer: fine)`) ? 'fine' : media(`(${any}pointer: coarse)`) ? 'coarse' : 'none';

/** @param {{brand: string, version: string}[] | undefined} list @returns {[string, string][]} */
const pairs = (list) => (list ?? []).map(({ brand, version }) => [brand, version]);

/** Returns the client hints; none if the browser has none, or the page has no TLS. */
async function hints() {
  const data = /** @type {any} */ (navigator).userAgentData;
  if (!data?.getHighEntropyValues) return {};
  const names = ['platformVersion', 'architecture', 'bitness', 'model', 'fullVersionList', 'wow64'];
  const high = await data.getHighEntropyValues(names).catch(() => ({}));
  const { platformVersion, architecture, bitness, model, wow64 } = high;
  return {
    hints: {
      brands: pairs(data.brands),
      mobile: data.mobile,
      platform: data.platform,
      platformVersion,
      architecture,
      bitness,
      model,
      fullVersions: pairs(high.fullVersionList),
      wow64,
    },
  };
}

function webdriver() {
  return {
    value: navigator.webdriver === true,
    own: Object.hasOwn(navigator, 'webdriver'),
    inPrototype: 'webdriver' in Navigator.prototype,
  };
}

function geometry() {
  const view = window.visualViewport;
  return {
    screen: { w: screen.width, h: screen.height, availW: screen.availWidth, availH: screen.availHeight, depth: screen.colorDepth },
    outer: { w: outerWidth, h: outerHeight },
    inner: { w: innerWidth, h: innerHeight },
    position: { x: screenX, y: screenY },
    devicePixelRatio,
    ...(view && {
      viewport: { w: view.width, h: view.height, scale: view.scale, left: view.offsetLeft, top: view.offsetTop },
    }),
  };
}

export async function environment() {
  const { userAgent, platform, vendor, languages, hardwareConcurrency, maxTouchPoints } = navigator;
  return {
    ua: userAgent.slice(0, 512),
    platform,
    vendor,
    languages: [...languages].slice(0, 16),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    timeZoneOffset: new Date().getTimezoneOffset(),
    hardwareConcurrency,
    deviceMemory: /** @type {any} */ (navigator).deviceMemory,
    maxTouchPoints,
    ...geometry(),
    media: {
      hover: media('(hover: hover)'),
      anyHover: media('(any-hover: hover)'),
      pointer: pointing(''),
      anyPointer: pointing('any-'),
    },
    webdriver: webdriver(),
    ...(await hints()),
  };
}
