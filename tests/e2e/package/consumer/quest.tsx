// A page in React.
import { useRef } from 'react';
import { VoightCheck, type VoightCheckProps, type VoightElement } from '@voight/check/react';

export function Quest(props: Pick<VoightCheckProps, 'eoaAddress' | 'onVerified'>) {
  const element = useRef<VoightElement>(null);
  return (
    <VoightCheck ref={element} originSite="https://quest.example" contextId="spring" theme="dark" preload="mount" className="check" {...props}>
      <button onClick={() => element.current?.reset()}>Claim</button>
    </VoightCheck>
  );
}

export const wrong = (
  // @ts-expect-error there is no such theme
  <VoightCheck originSite="" eoaAddress="" contextId="" theme="pink" />
);

// @ts-expect-error the address is required
export const incomplete = <VoightCheck originSite="" contextId="" />;
