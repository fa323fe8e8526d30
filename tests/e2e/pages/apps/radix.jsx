// A quest in a modal dialog of Radix.
import * as Dialog from '@radix-ui/react-dialog';
import { createRoot } from 'react-dom/client';
import { Claim, root } from './claim.jsx';

createRoot(root).render(
  <Dialog.Root defaultOpen>
    <Dialog.Portal>
      <Dialog.Overlay style={{ position: 'fixed', inset: 0, zIndex: 1000, background: '#0008' }} />
      <Dialog.Content id="host" style={{ position: 'fixed', top: 40, left: 40, zIndex: 1001, background: '#fff' }}>
        <Dialog.Title>A quest</Dialog.Title>
        <Dialog.Description>Claim what you have earned.</Dialog.Description>
        <Claim />
        <Dialog.Close id="other">Later</Dialog.Close>
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>,
);
