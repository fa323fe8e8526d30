// A quest in a modal of MUI.
import { Modal } from '@mui/material';
import { createRoot } from 'react-dom/client';
import { root } from './claim.jsx';
import { Content, useModal } from './modal.jsx';

function Quest() {
  const modal = useModal();
  return (
    <Modal {...modal}>
      <div id="host" tabIndex={-1} style={{ position: 'fixed', top: 40, left: 40, background: '#fff' }}>
        <Content {...modal} />
      </div>
    </Modal>
  );
}

createRoot(root).render(<Quest />);
