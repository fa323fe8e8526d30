/** Style sheet of the dialog: constructed, so that the strictest content security policy of a page allows it. */

const CSS = `
dialog {
  --surface: #ffffff; --ink: #14203a; --soft: #5a6780; --accent: #2f5bea; --on-accent: #ffffff; --edge: #dfe4ee; --bad: #b3261e; --good: #16794a;
  position: fixed; inset: 0; z-index: 1; box-sizing: border-box; width: min(26.25em, calc(100vw - 32px)); max-height: calc(100dvh - 32px); margin: auto; padding: 0;
  border: 0; border-radius: var(--voight-radius, 20px); overflow: hidden; background: var(--surface); color: var(--ink); color-scheme: light;
  box-shadow: 0 24px 64px rgb(10 20 50 / 28%), 0 2px 8px rgb(10 20 50 / 16%);
  font: max(16px, 1rem)/1.5 system-ui, sans-serif; letter-spacing: normal; text-align: start; text-transform: none; white-space: normal;
  pointer-events: auto;
}
dialog::backdrop { background: var(--voight-backdrop, rgb(12 18 34 / 55%)); }
iframe { display: block; width: 100%; max-height: calc(100dvh - 32px); border: 0; background: var(--surface); }
.panel {
  position: absolute; inset: 0; z-index: 1; display: flex; flex-direction: column; align-items: center;
  justify-content: center; gap: 12px; padding: 24px; text-align: center; background: var(--surface);
}
.panel[hidden] { display: none; }
.panel:not([hidden]) ~ iframe { visibility: hidden; }
.panel[data-kind]:not([data-kind='progress']) { position: static; padding: 40px 24px 32px; }
.panel[data-kind]:not([data-kind='progress'], [hidden]) ~ iframe { position: absolute; }
.panel::before {
  content: ''; box-sizing: border-box; width: 52px; height: 52px; border-radius: 50%; border: 4px solid var(--edge);
  font: 700 26px/44px system-ui, sans-serif;
}
.panel[data-kind='progress']::before { border-top-color: var(--accent); animation: spin 0.9s linear infinite; }
.panel[data-kind='failure']::before { content: '!'; border-color: currentcolor; color: var(--bad); }
.panel[data-kind='done']::before { content: '✓'; border-color: currentcolor; color: var(--good); }
.panel:lang(ko) { word-break: keep-all; }
p { margin: 0; font-weight: 600; }
.note { color: var(--soft); font-size: 0.875em; font-weight: 400; }
.note:empty { display: none; }
.buttons { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; margin-top: 8px; }
button {
  min-width: 7em; min-height: 2.75em; padding: 8px 20px; border: 1px solid transparent; border-radius: 12px;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer;
}
button + button, .panel[data-kind='progress'] button { border-color: var(--edge); background: none; color: var(--ink); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@keyframes spin { to { transform: rotate(1turn); } }
@keyframes slide-in { from { transform: translateY(16px); opacity: 0; } }
@media (prefers-reduced-motion: no-preference) { dialog[open] { animation: slide-in 0.18s ease-out; } }
@media (prefers-reduced-motion: reduce) { .panel[data-kind='progress']::before { animation-duration: 3s; } }
@media (width < 480px) {
  dialog { width: 100%; max-width: 100%; margin-block-end: 0; border-end-start-radius: 0; border-end-end-radius: 0; }
}
@media (height < 480px) and (width >= 560px) { dialog { width: min(680px, calc(100vw - 32px)); } }
@media (forced-colors: active) {
  dialog { border: 2px solid CanvasText; }
  .panel[data-kind='progress']::before { border-color: Canvas; border-top-color: CanvasText; }
}
`;
const DARK = `--surface: #151b2b; --ink: #eef2fb; --soft: #a5b0c8; --accent: #8aa6ff; --on-accent: #0c1430; --edge: #34405c;
  --bad: #ff9a90; --good: #63d69b; color-scheme: dark;`;

/** @type {CSSStyleSheet | null} */
let shared = null;

/** @returns {CSSStyleSheet} the style sheet that all elements of the page share */
export function dialogStyleSheet() {
  if (shared) return shared;
  shared = new CSSStyleSheet();
  shared.replaceSync(
    `${CSS} dialog[data-theme='dark'] { ${DARK} }
    @media (prefers-color-scheme: dark) { dialog:not([data-theme='light']) { ${DARK} } }`,
  );
  return shared;
}
