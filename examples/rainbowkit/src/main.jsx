import '@rainbow-me/rainbowkit/styles.css';
import { ConnectButton, RainbowKitProvider } from '@rainbow-me/rainbowkit';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createConfig, http, WagmiProvider } from 'wagmi';
import { mainnet } from 'wagmi/chains';
import { Claim } from '../../wagmi/src/Claim.jsx';

// RainbowKit lists the wallets that the browser has. `getDefaultConfig` adds those of WalletConnect, which need a project id.
const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http() } });

const quest = await (await fetch('/quest')).json();
createRoot(document.getElementById('root')).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <RainbowKitProvider>
        <h1>First light</h1>
        <div id="connect"><ConnectButton /></div>
        <Claim {...quest} />
      </RainbowKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
);
