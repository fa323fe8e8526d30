// A quest in React 18 or 19.
import { createRoot } from 'react-dom/client';
import { Claim, root } from './claim.jsx';

createRoot(root).render(<Claim />);
