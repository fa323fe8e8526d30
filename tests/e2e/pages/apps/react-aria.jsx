// A quest with a button of React Aria.
import { VoightCheck } from '@voight/check/react';
import { Button } from 'react-aria-components';
import { createRoot } from 'react-dom/client';

const root = document.querySelector('#root');
const { service, context, address } = root.dataset;
const recordPress = ({ pointerType }) => window.events.push({ name: 'pressed', detail: pointerType });

createRoot(root).render(
  <VoightCheck baseUrl={service} eoaAddress={address} contextId={context}>
    <Button id="claim" onPress={recordPress}>
      Claim
    </Button>
  </VoightCheck>,
);
