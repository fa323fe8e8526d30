// A quest with a button that uses the hooks of React Aria and is no button of the browser.
import { VoightCheck } from '@voight/check/react';
import { useRef } from 'react';
import { useButton } from 'react-aria';
import { createRoot } from 'react-dom/client';

const root = document.querySelector('#root');
const { service, context, address } = root.dataset;
const recordPress = ({ pointerType }) => window.events.push({ name: 'pressed', detail: pointerType });

function Claim() {
  const ref = useRef(null);
  const { buttonProps } = useButton({ elementType: 'div', onPress: recordPress }, ref);
  return (
    <div {...buttonProps} ref={ref} id="claim">
      Claim
    </div>
  );
}

createRoot(root).render(
  <VoightCheck baseUrl={service} eoaAddress={address} contextId={context}>
    <Claim />
  </VoightCheck>,
);
