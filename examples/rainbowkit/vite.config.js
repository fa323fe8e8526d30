import react from '@vitejs/plugin-react';

// The claim of ../wagmi uses the packages of this directory, whose wagmi is the one that RainbowKit requires.
export default { plugins: [react()], resolve: { dedupe: ['@voight/check', 'react', 'react-dom', 'wagmi'] } };
