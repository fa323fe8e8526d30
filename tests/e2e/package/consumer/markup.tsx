// A page in React that writes the element itself.
import type { VoightAttributes } from '@voight/check';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'voight-check': VoightAttributes;
    }
  }
}

export const quest = (
  <voight-check origin-site="https://quest.example" eoa-address="0x" context-id="spring" base-url="https://voight.example" replay-click="false">
    <button>Claim</button>
  </voight-check>
);

// @ts-expect-error there is no such attribute
export const wrong = <voight-check eoaAddress="0x" />;
