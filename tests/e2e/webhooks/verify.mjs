// Verifies requests with libraries of npm and with node:crypto: `verify.mjs REQUESTS` prints an object of lists of names.
import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as standardwebhooks from 'standardwebhooks';
import * as svix from 'svix';

/** The libraries know no signatures by Ed25519, so those are verified as the specification describes. */
function verifyEd25519({ key, headers, body }) {
  const x = Buffer.from(key.slice('whpk_'.length), 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const message = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signatures = headers['webhook-signature'].split(' ').map((entry) => entry.split(','));
  const isSigned = signatures.some(([version, text]) => version === 'v1a' && verify(null, message, publicKey, Buffer.from(text, 'base64')));
  if (!isSigned) throw new Error('no signature is valid');
}

const libraries = {
  standardwebhooks: ({ key, headers, body }) => new standardwebhooks.Webhook(key).verify(body, headers),
  svix: ({ key, headers, body }) => new svix.Webhook(key).verify(body, headers),
  'node:crypto': verifyEd25519,
};

const requests = JSON.parse(await readFile(process.argv[2], 'utf8'));
const verified = {};
for (const [library, perform] of Object.entries(libraries)) {
  const isKnown = ({ key }) => key.startsWith('whpk_') === (library === 'node:crypto');
  verified[library] = requests.filter(isKnown).filter((request) => {
    try {
      perform(request);
      return true;
    } catch {
      return false;
    }
  }).map(({ name }) => name);
}
console.log(JSON.stringify(verified));
