// A quest in a modal of MUI.
import { Modal } from '@mui/material';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Claim, root } from './claim.jsx';

function Quest() {
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Modal open={open} onClose={close}>
      <div id="host" tabIndex={-1} style={{ position: 'fixed', top: 40, left: 40, background: '#fff' }}>
        <Claim />
        <button id="other" onClick={close}>
          Later
        </button>
      </div>
    </Modal>
  );
}

createRoot(root).render(<Quest />);
