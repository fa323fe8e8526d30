import { VoightCheck } from '@voight/check/react';
import { useEffect, useRef, useState } from 'react';
import { useAccount, useSignMessage } from 'wagmi';

/** Button whose click handler runs after a check of the connected account. */
export function Claim({ service, contextId }) {
  const { address } = useAccount();
  const { signMessageAsync } = useSignMessage();
  const [answer, setAnswer] = useState('');
  const check = useRef(null);

  // A check is of one account: another account begins anew.
  useEffect(() => {
    check.current?.reset();
    setAnswer('');
  }, [address]);

  async function claim() {
    const body = JSON.stringify({ address, receipt: check.current.receipt });
    const response = await fetch('/badges', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    setAnswer((await response.json()).message);
    // A receipt can be redeemed once.
    check.current.reset();
  }

  return (
    <>
      <p>Your wallet: <span id="account">{address}</span></p>
      <VoightCheck ref={check} baseUrl={service} originSite={location.href} contextId={contextId} eoaAddress={address}
                   signMessage={(message) => signMessageAsync({ message })}
                   onWalletRequired={() => setAnswer('Connect your wallet first.')}>
        <button id="claim" onClick={claim}>Claim the badge</button>
      </VoightCheck>
      <p id="answer" role="status">{answer}</p>
    </>
  );
}
