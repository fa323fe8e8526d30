import { config, createSession } from 'voight-example-quest';
import { visitor } from './visitor.js';
import { Claim } from './Claim.jsx';

/** Page of a quest, rendered for each visitor. The properties that it passes to `Claim` are sent to the browser. */
export default async function Quest() {
  const settings = config();
  const address = await visitor();
  const session = address && (await createSession(settings, address));
  return (
    <main>
      <h1>First light</h1>
      <p>One badge for each person.</p>
      <Claim service={settings.service} contextId={settings.contextId} address={address} session={session} />
    </main>
  );
}
