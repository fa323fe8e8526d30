'use client';
import { VoightCheck } from '@voight/check/react';
import { useEffect, useRef, useState } from 'react';

/** Field for a wallet, and a button whose click handler runs after a check. */
export function Claim({ service, contextId, session, address = '' }) {
  const [wallet, setWallet] = useState(address);
  const [answer, setAnswer] = useState('');
  const [isReady, setReady] = useState(false);
  const check = useRef(null);
  // The markup of the server has no handlers yet.
  useEffect(() => setReady(true), []);

  async function claim() {
    const body = JSON.stringify({ address: wallet, receipt: check.current.receipt });
    const response = await fetch('/badges', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    setAnswer((await response.json()).message);
    // A receipt can be redeemed once.
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
      <VoightCheck ref={check} baseUrl={service} contextId={contextId} eoaAddress={wallet}
                   session={session} onWalletRequired={() => setAnswer('Fill in your wallet first.')}>
        <button id="claim" disabled={!isReady} onClick={claim}>Claim the badge</button>
      </VoightCheck>
      <p id="answer" role="status">{answer}</p>
    </>
  );
}
