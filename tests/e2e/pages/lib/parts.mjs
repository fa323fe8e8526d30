// Measurements of the visible part: in the window if it is visible, otherwise in the component's own panel.
import { visibleWindow } from './states.mjs';

/** Runs a function in the page or in the window with the root of the visible part, or null if none is visible.
 * @param {import('puppeteer-core').Page} tab @param {(root: ParentNode, ...given: any[]) => any} measure */
export async function inVisiblePart(tab, measure, ...given) {
  const frame = await visibleWindow(tab);
  const find = frame ? 'document' : `document.querySelector('voight-check').shadowRoot.querySelector('dialog[open]')`;
  return (frame ?? tab).evaluate(`((root) => root && (${measure})(root, ...${JSON.stringify(given)}))(${find})`);
}

/** Returns the targets of a press. */
export const buttons = (root) =>
  [...root.querySelectorAll('button')]
    .filter((button) => button.checkVisibility({ visibilityProperty: true }))
    .map((button) => {
      const { width, height } = button.getBoundingClientRect();
      return { name: button.textContent || button.getAttribute('aria-label'), width, height };
    });

/** Returns the rendered live regions, with their texts. */
export const liveRegions = (root) =>
  [...root.querySelectorAll('[role=status], [role=alert], [aria-live]')]
    .filter((region) => region.checkVisibility({ visibilityProperty: true }))
    .map((region) => region.textContent);

/** Returns parts whose text is clipped or overflows, and parts that overflow the window. */
export const overflowing = (root) => {
  const page = root.ownerDocument ?? root;
  const width = root.ownerDocument ? root.getBoundingClientRect().right : page.documentElement.clientWidth;
  const visibleParts = [...root.querySelectorAll('h1, p, button, footer, a')].filter((part) => part.checkVisibility({ visibilityProperty: true }));
  return visibleParts
    .filter((part) => {
      const { left, right } = part.getBoundingClientRect();
      const cut = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
      return (cut && part.clientWidth > 0) || right > width + 1 || left < -1;
    })
    .map((part) => `${part.id || part.className || part.name || part.tagName}: ${part.textContent}`);
};

/** Returns true if it can be scrolled sideways. */
export const scrollsSideways = (root) => {
  const box = root.documentElement ?? root;
  return box.scrollWidth > box.clientWidth + 1;
};
