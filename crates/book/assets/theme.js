// Applies the chosen colours before the page is drawn.
try {
  const theme = localStorage.getItem('voight-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the page has the colours of the system.
}
