// Shared code of the programs that drive Chromium.

/** Flags that disable background requests to the vendor and prompts of the browser. */
export const FLAGS = [
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
  '--no-default-browser-check', '--password-store=basic', '--window-size=1280,900',
  // Chromium refuses to start its sandbox as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
export const HEADED = Boolean(process.env.HEADED);
export const [page, variant = ''] = process.argv.slice(2);
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** User-Agent header of a Chromium with a visible window. */
export const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/** The page's button, then the targets of the window in order. */
export const NEXT = ['#claim', '#press[data-role="first"]', '#press[data-role="second"]'];

/** Waits until the quest has ended. After a slow check the page asks for another click. @param {import('playwright-core').Page} tab */
export async function finish(tab) {
  const endedQuest = tab.locator('#quest[data-state="ended"]');
  const resume = tab.getByRole('button', { name: 'Continue' });
  await resume.or(endedQuest).first().waitFor();
  if (await resume.isVisible()) await resume.click();
  await endedQuest.waitFor();
}

/** Pointer path: a bent curve with varying speed and noise, as points `{x, y, wait}`. */
export function curve(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const steps = Math.max(12, Math.round(Math.hypot(dx, dy) / 9));
  const bend = (Math.random() - 0.5) * 0.3;
  return Array.from({ length: steps }, (_, at) => {
    const t = (at + 1) / steps;
    const s = t ** 3 * (10 - 15 * t + 6 * t * t);
    const side = Math.sin(Math.PI * s) * bend;
    const noise = () => (at + 1 < steps ? (Math.random() - 0.5) * 1.5 : 0);
    return { x: from.x + dx * s - dy * side + noise(), y: from.y + dy * s + dx * side + noise(), wait: 6 + Math.random() * 8 };
  });
}

/** Random point in a box where a person might press. */
export const somewhere = (box) => ({
  x: box.x + box.width * (0.3 + Math.random() * 0.4),
  y: box.y + box.height * (0.3 + Math.random() * 0.4),
});
