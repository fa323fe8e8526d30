// A quest in a modal dialog of Headless UI.
import { Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react';
import { createRoot } from 'react-dom/client';
import { root } from './claim.jsx';
import { Content, useModal } from './modal.jsx';

function Quest() {
  const modal = useModal();
  return (
    <Dialog {...modal} style={{ position: 'relative', zIndex: 1000 }}>
      <DialogBackdrop style={{ position: 'fixed', inset: 0, background: '#0008' }} />
      <DialogPanel id="host" style={{ position: 'fixed', top: 40, left: 40, background: '#fff' }}>
        <DialogTitle>A quest</DialogTitle>
        <Content {...modal} />
      </DialogPanel>
    </Dialog>
  );
}

createRoot(root).render(<Quest />);
