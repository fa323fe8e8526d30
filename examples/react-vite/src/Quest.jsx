import { VoightCheck } from '@voight/check/react';
import { useRef, useState } from 'react';

/** The page of a quest: a wallet, and a button that is clicked after a check. */
export function Quest({ service, contextId, session, address = '' }) {
  const [wallet, setWallet] = useState(address);
  const [answer, setAnswer] = useState('');
  const check = useRef(null);

  async function claim() {
    const body = JSON.stringify({ address: wallet, receipt: check.current.receipt });
    const reply = await fetch('/badges', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    setAnswer((await reply.json()).message);
    // A receipt is good for one claim.
    check.current.reset();
  }

  return (
    <>
      <h1>First light</h1>
      <p>One badge for each person.</p>
      <p>
        <label>
          Your wallet{' '}
          <input id="address" placeholder="0x…" size={44} value={wallet} readOnly={Boolean(address)}
                 onChange={(event) => setWallet(event.target.value.trim())} />
        </label>
      </p>
      <VoightCheck ref={check} baseUrl={service} originSite={location.href} contextId={contextId} eoaAddress={wallet}
                   session={session} onWalletRequired={() => setAnswer('Fill in your wallet first.')}>
        <button id="claim" onClick={claim}>Claim the badge</button>
      </VoightCheck>
      <p id="answer" role="status">{answer}</p>
    </>
  );
}
