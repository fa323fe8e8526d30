// Deploys RewardClaim on a local chain and claims every reward of a Merkle dump.
//
//   node claim.mjs merkle.json
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import solc from 'solc';
import { createPublicClient, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

const require = createRequire(import.meta.url);

/** First account of the local chain. Its key is public: never use it elsewhere. */
const SENDER = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

/** Compiles the contract. */
async function compile() {
  const content = await readFile(new URL('RewardClaim.sol', import.meta.url), 'utf8');
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object'] } };
  const input = { language: 'Solidity', sources: { 'RewardClaim.sol': { content } }, settings: { outputSelection } };
  const readImport = (path) => ({ contents: require('node:fs').readFileSync(require.resolve(path), 'utf8') });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const { abi, evm } = output.contracts['RewardClaim.sol'].RewardClaim;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

/** Starts a local chain on a free port of the loopback interface and returns its URL. */
async function startChain() {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch;
  const program = require.resolve(`@foundry-rs/anvil-${process.platform}-${processor}/bin/anvil`);
  const chain = spawn(program, ['--port', '0', '--host', '127.0.0.1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: chain.stdout })) {
    const listening = /^Listening on (\S+)$/.exec(line);
    if (listening) return { url: `http://${listening[1]}`, stop: () => chain.kill() && once(chain, 'exit') };
  }
  throw new Error('the local chain has stopped');
}

const tree = StandardMerkleTree.load(JSON.parse(await readFile(process.argv[2], 'utf8')));
const chain = await startChain();
try {
  const transport = http(chain.url);
  const wallet = createWalletClient({ account: SENDER, chain: foundry, transport });
  const reader = createPublicClient({ chain: foundry, transport });
  const mined = (hash) => reader.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  const { abi, bytecode } = await compile();
  const total = [...tree.entries()].reduce((sum, [, [, amount]]) => sum + BigInt(amount), 0n);
  const deployed = await mined(await wallet.deployContract({ abi, bytecode, args: [tree.root], value: total }));
  const contract = { address: deployed.contractAddress, abi, functionName: 'claim' };
  const refused = (args) => reader.simulateContract({ ...contract, account: SENDER, args }).then(
    () => { throw new Error(`the contract pays ${args}`); },
    (error) => error.walk((cause) => cause.data?.errorName).data.errorName,
  );
  for (const [index, [account, amount]] of tree.entries()) {
    const proof = tree.getProof(index);
    const forged = await refused([account, BigInt(amount) + 1n, proof]);
    if (forged !== 'InvalidProof') throw new Error(`another amount is refused by ${forged}`);
    await mined(await wallet.writeContract({ ...contract, args: [account, BigInt(amount), proof] }));
    const repeated = await refused([account, BigInt(amount), proof]);
    if (repeated !== 'AlreadyPaid') throw new Error(`a second claim is refused by ${repeated}`);
    if (await reader.getBalance({ address: account }) < BigInt(amount)) throw new Error(`${account} was not paid`);
    console.log(`paid ${amount} to ${account}`);
  }
  console.log(`root ${tree.root}: ${[...tree.entries()].length} rewards paid, ${total} in all`);
} finally {
  await chain.stop();
}
