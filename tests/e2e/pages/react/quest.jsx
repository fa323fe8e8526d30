// A quest page in React. What happens is noted in `window.events`, each with its round; `window.quest` lets a test turn it.
import { StrictMode, useEffect, useRef, useState } from 'react';
import { VoightCheck } from '@voight/check/react';

function Quest({ given }) {
  const [round, setRound] = useState(0);
  const [more, setMore] = useState({});
  const element = useRef(null);
  const note = (name) => window.events.push({ name, detail: round });
  useEffect(() => {
    window.quest = { element: element.current, round, turn: () => setRound((now) => now + 1), more, set: setMore };
  });
  return (
    <VoightCheck ref={element} {...given} onVerified={() => note('verified')} {...more}>
      <button id="claim" onClick={() => note('claimed')}>Claim</button>
    </VoightCheck>
  );
}

export const page = (given) => (
  <StrictMode>
    <Quest given={given} />
  </StrictMode>
);
