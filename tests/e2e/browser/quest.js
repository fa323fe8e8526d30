// Script of a platform's page. It reports the outcome of the check to its server by navigating to another page, because its
// policy permits no requests to other hosts.

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

const report = (path, parameters) => location.assign(`${path}?${new URLSearchParams({ ...parameters, violations: violations.join('\n') })}`);

document.addEventListener('DOMContentLoaded', () => {
  const check = document.querySelector('voight-check');
  document.getElementById('claim').addEventListener('click', () => report('/claimed', { receipt: check.receipt ?? '' }));
  check.addEventListener('voight-error', ({ detail }) => report('/failed', { code: detail.code, reference: detail.reference }));
});
