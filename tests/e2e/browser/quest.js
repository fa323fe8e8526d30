// What a platform's page does besides wrapping its button: it goes on when the button is clicked at last. Its policy lets it
// contact no other host, so it tells its server by going to another page.

const violations = [];
document.addEventListener('securitypolicyviolation', (event) => {
  violations.push(`${event.effectiveDirective} blocked ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`);
});

const style = new CSSStyleSheet();
style.replaceSync(`
  html { color-scheme: light; }
  #claim { margin: 60px 80px; width: 180px; height: 56px; border: 0; background: #0a7d5c; color: #fff; }
`);
document.adoptedStyleSheets = [style];

const goTo = (path, told) => location.assign(`${path}?${new URLSearchParams({ ...told, violations: violations.join('\n') })}`);

document.addEventListener('DOMContentLoaded', () => {
  const check = document.querySelector('voight-check');
  document.getElementById('claim').addEventListener('click', () => goTo('/claimed', { receipt: check.receipt ?? '' }));
  check.addEventListener('voight-error', ({ detail }) => goTo('/failed', { code: detail.code, reference: detail.reference }));
});
