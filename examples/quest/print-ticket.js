#!/usr/bin/env node
// Prints the link that signs in the owner of a wallet: npm run ticket 0x…
import { ticket } from './ticket.js';

const { SIGN_IN_SECRET: secret, PORT: port = 3000 } = process.env;
const [address] = process.argv.slice(2);
if (secret && address) {
  console.log(`http://localhost:${port}/sign-in?ticket=${ticket(secret, address)}`);
} else {
  console.error('Set SIGN_IN_SECRET to the value of the server, and pass the wallet: npm run ticket 0x…');
  process.exitCode = 2;
}
