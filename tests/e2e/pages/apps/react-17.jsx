// A quest in React 17.
import { render } from 'react-dom';
import { Claim, root } from './claim.jsx';

render(<Claim />, root);
