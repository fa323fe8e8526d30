// A page without a framework.
import { VoightCheck, type VoightError, type VoightProperties, type VoightState } from '@voight/check';

const check = document.querySelector('voight-check');
if (check) {
  check.contextId = 'spring';
  check.labels = { title: 'Just a moment' };
  check.confirm = async (receipt) => receipt.length;
  check.onError = ({ code, retryable, reference }: VoightError) => console.log(code, retryable, reference);
  check.addEventListener('click', () => check.verify().then((receipt: string) => receipt));
  const state: VoightState = check.state;
  console.log(state, check instanceof VoightCheck);
  // @ts-expect-error a state is read only
  check.state = 'idle';
  // @ts-expect-error there is no such label
  check.labels = { tilte: '' };
  // @ts-expect-error a receipt may be absent
  check.receipt.length;
}

// @ts-expect-error a context is required
export const incomplete: VoightProperties = { originSite: '', eoaAddress: '' };
