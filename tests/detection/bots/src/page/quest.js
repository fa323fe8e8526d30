// Script of a platform's page: it runs public bot detectors on the visitor, and reports their results and the outcome of
// the check by navigating to another page of its server.

const DETECTORS = {
  botd: async () => {
    const { load } = await import('/botd.js');
    return (await (await load()).detect()).bot;
  },
  isbot: async () => (await import('/isbot.js')).isbot(navigator.userAgent),
};

const results = Object.entries(DETECTORS).map(async ([name, detect]) => [name, await detect().catch(() => null)]);

async function report(path, parameters) {
  const { address } = Object.fromEntries(new URLSearchParams(location.search));
  const detectors = JSON.stringify(Object.fromEntries(await Promise.all(results)));
  location.assign(`${path}?${new URLSearchParams({ ...parameters, address, detectors })}`);
}

document.addEventListener('DOMContentLoaded', () => {
  const check = document.querySelector('voight-check');
  document.getElementById('claim').addEventListener('click', () => report('/claimed', { receipt: check.receipt ?? '' }));
  check.addEventListener('voight-error', ({ detail }) => report('/failed', { code: detail.code }));
});
