import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createConfig, http, useConnect, useConnectors, WagmiProvider } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import { Claim } from './Claim.jsx';

const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http() } });

/** A button for each wallet that the browser has. */
function Connect() {
  const { mutate: connect } = useConnect();
  const connectors = useConnectors();
  return (
    <p id="connect">
      {connectors.map((connector) => (
        <button key={connector.uid} onClick={() => connect({ connector })}>Connect {connector.name}</button>
      ))}
    </p>
  );
}

const quest = await (await fetch('/quest')).json();
createRoot(document.getElementById('root')).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <h1>First light</h1>
      <Connect />
      <Claim {...quest} />
    </QueryClientProvider>
  </WagmiProvider>,
);
