// Back end of a quest. It serves one of the pages in the directories beside it, and decides on its claims.
import express from 'express';
import { claim, config, createSession, flaggedWallet } from 'voight-example-quest';
import { signIn, visitor } from './sign-in.js';

const { PAGE = '../html', PORT = 3000 } = process.env;
const settings = config();
/** Wallets that have the badge. In production, a table of your database. */
const badges = new Set();
const app = express();

/** Revokes the badge of a wallet that is flagged later. The signature covers the body as it was received, so it is not parsed before. */
app.post('/webhooks', express.raw({ type: () => true, limit: '32kb' }), async (request, response) => {
  if (!settings.webhookSecret) return response.status(404).end();
  try {
    const body = Buffer.isBuffer(request.body) ? request.body : '';
    const address = await flaggedWallet(settings, { headers: request.headers, body });
    if (address) badges.delete(address.toLowerCase());
    response.status(204).end();
  } catch (error) {
    if (!error.code?.startsWith('webhook_')) throw error;
    response.status(401).json({ message: error.message });
  }
});

app.use(express.json({ limit: '16kb' }));
app.use(express.static(PAGE));

/** Returns the settings of the page; for a signed-in visitor also the wallet, and the token of a vouched session. */
app.get('/quest', async (request, response) => {
  const address = visitor(settings.secret, request);
  const session = address && (await createSession(settings, address));
  response.json({ service: settings.service, contextId: settings.contextId, address, session });
});

/** Claims the badge. */
app.post('/badges', async (request, response) => {
  const { receipt, address: entered } = request.body ?? {};
  const address = visitor(settings.secret, request) ?? entered;
  const { status, message } = await claim(settings, { address, receipt });
  if (status === 200) badges.add(address.toLowerCase());
  response.status(status).json({ message });
});

/** Lists the wallets that have the badge. */
app.get('/badges', (request, response) => response.json([...badges]));

app.get('/sign-in', (request, response) => {
  if (signIn(settings.secret, request.query.ticket, response)) return response.redirect('/');
  response.status(403).send('This link is invalid.');
});

app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  if (!error.status) console.error(error);
  response.status(error.status ?? 500).json({ message: error.status ? error.message : 'Internal error.' });
});

app.listen(PORT, (error) => {
  if (error) throw error;
  console.log(`The quest is at http://localhost:${PORT}`);
});
