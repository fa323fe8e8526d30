// Page of a quest. It gets its settings from the back end; the API key is not among them.
const [check, wallet, button, answer] = ['check', 'address', 'claim', 'answer'].map((id) => document.getElementById(id));

const quest = await (await fetch('/quest')).json();
Object.assign(check, { contextId: quest.contextId, session: quest.session });
wallet.value = quest.address ?? '';
wallet.readOnly = Boolean(quest.address);
check.eoaAddress = wallet.value;
wallet.addEventListener('input', () => (check.eoaAddress = wallet.value.trim()));
check.addEventListener('voight-walletrequired', () => (answer.textContent = 'Fill in your wallet first.'));

// The component runs the check before this click handler, which then has the receipt.
button.addEventListener('click', async () => {
  const claim = { address: check.eoaAddress, receipt: check.receipt };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/badges', { method: 'POST', headers, body: JSON.stringify(claim) });
  answer.textContent = (await response.json()).message;
  // A receipt can be redeemed once.
  check.reset();
});

await import(`${quest.service}/sdk/v1/voight.js`);
button.disabled = false;
