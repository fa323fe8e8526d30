// The wrapped button of a quest in React, and what the page was told to wrap it with.
import { VoightCheck } from '@voight/check/react';

export const root = document.querySelector('#root');
const { service, context, address } = root.dataset;
/** The page around need not be told twice. @param {import('react').MouseEvent} event */
function note(event) {
  event.stopPropagation();
  window.events.push({ name: 'claimed' });
}

export const Claim = () => (
  <VoightCheck baseUrl={service} originSite={location.href} eoaAddress={address} contextId={context} confirm={() => window.hold}>
    <button id="claim" onClick={note}>
      Claim
    </button>
  </VoightCheck>
);
