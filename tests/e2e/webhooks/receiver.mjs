// Receives webhooks with the package standardwebhooks: `receiver.mjs PORT CERTIFICATE KEY SECRET` prints one line for each request.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { Webhook } from 'standardwebhooks';

const [port, certificateFile, keyFile, secret] = process.argv.slice(2);
const webhook = new Webhook(secret);

function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function receive(request, response) {
  const chunks = await request.toArray();
  try {
    const event = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
    print({ id: request.headers['webhook-id'], event, received: Date.now() });
    response.writeHead(204).end();
  } catch (error) {
    print({ error: String(error) });
    response.writeHead(401).end('the signature is wrong');
  }
}

const options = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
createServer(options, receive).listen(Number(port), '127.0.0.1', () => print({ listening: port }));
