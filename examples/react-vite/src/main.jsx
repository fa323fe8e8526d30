import { createRoot } from 'react-dom/client';
import { Quest } from './Quest.jsx';

const quest = await (await fetch('/quest')).json();
createRoot(document.getElementById('root')).render(<Quest {...quest} />);
