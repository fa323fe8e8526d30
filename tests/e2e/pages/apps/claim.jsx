// Wrapped button of a quest in React. The root element has the properties of the component.
import { VoightCheck } from '@voight/check/react';

export const root = document.querySelector('#root');
const { service, context, address } = root.dataset;
/** Records a click once: the page does not see the event. @param {import('react').MouseEvent} event */
function recordClick(event) {
  event.stopPropagation();
  window.events.push({ name: 'claimed' });
}

export const Claim = () => (
  <VoightCheck baseUrl={service} originSite={location.href} eoaAddress={address} contextId={context} confirm={() => window.hold}>
    <button id="claim" onClick={recordClick}>
      Claim
    </button>
  </VoightCheck>
);
