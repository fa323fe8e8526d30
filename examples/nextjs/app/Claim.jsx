'use client';
import { VoightCheck } from '@voight/check/react';
import { useEffect, useRef, useState } from 'react';

/** A wallet, and a button that is clicked after a check. */
export function Claim({ service, contextId, session, address = '' }) {
  const [wallet, setWallet] = useState(address);
  const [answer, setAnswer] = useState('');
  const [page, setPage] = useState('');
  const check = useRef(null);
  // The server that renders this does not know where the visitor sees it.
  useEffect(() => setPage(location.href), []);

  async function claim() {
    const body = JSON.stringify({ address: wallet, receipt: check.current.receipt });
    const reply = await fetch('/badges', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    setAnswer((await reply.json()).message);
    // A receipt is good for one claim.
    check.current.reset();
  }

  return (
    <>
      <p>
        <label>
          Your wallet{' '}
          <input id="address" placeholder="0x…" size={44} value={wallet} readOnly={Boolean(address)}
                 onChange={(event) => setWallet(event.target.value.trim())} />
        </label>
      </p>
      <VoightCheck ref={check} baseUrl={service} originSite={page} contextId={contextId} eoaAddress={wallet}
                   session={session} onWalletRequired={() => setAnswer('Fill in your wallet first.')}>
        <button id="claim" disabled={!page} onClick={claim}>Claim the badge</button>
      </VoightCheck>
      <p id="answer" role="status">{answer}</p>
    </>
  );
}
