// A quest in a modal dialog of Headless UI.
import { Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Claim, root } from './claim.jsx';

function Quest() {
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Dialog open={open} onClose={close} style={{ position: 'relative', zIndex: 1000 }}>
      <DialogBackdrop style={{ position: 'fixed', inset: 0, background: '#0008' }} />
      <DialogPanel id="host" style={{ position: 'fixed', top: 40, left: 40, background: '#fff' }}>
        <DialogTitle>A quest</DialogTitle>
        <Claim />
        <button id="other" onClick={close}>
          Later
        </button>
      </DialogPanel>
    </Dialog>
  );
}

createRoot(root).render(<Quest />);
