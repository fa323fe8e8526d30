// What a platform's page does besides wrapping its button, and what public detectors say of the same visitor. The page
// tells its server by going to another page.

const DETECTORS = {
  botd: async () => {
    const { load } = await import('/botd.js');
    return (await (await load()).detect()).bot;
  },
  isbot: async () => (await import('/isbot.js')).isbot(navigator.userAgent),
};

const said = Object.entries(DETECTORS).map(async ([name, ask]) => [name, await ask().catch(() => null)]);

async function goTo(path, told) {
  const { address } = Object.fromEntries(new URLSearchParams(location.search));
  const detectors = JSON.stringify(Object.fromEntries(await Promise.all(said)));
  location.assign(`${path}?${new URLSearchParams({ ...told, address, detectors })}`);
}

document.addEventListener('DOMContentLoaded', () => {
  const check = document.querySelector('voight-check');
  document.getElementById('claim').addEventListener('click', () => goTo('/claimed', { receipt: check.receipt ?? '' }));
  check.addEventListener('voight-error', ({ detail }) => goTo('/failed', { code: detail.code }));
});
