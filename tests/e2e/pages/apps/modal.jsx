// What the modals of libraries without a state of their own have in common: they are open at first, and a second button closes them.
import { useState } from 'react';
import { Claim } from './claim.jsx';

/** Properties of a modal that is open until it is closed. */
export function useModal() {
  const [open, setOpen] = useState(true);
  return { open, onClose: () => setOpen(false) };
}

/** @param {{onClose: () => void}} props */
export const Content = ({ onClose }) => (
  <>
    <Claim />
    <button id="other" onClick={onClose}>
      Later
    </button>
  </>
);
