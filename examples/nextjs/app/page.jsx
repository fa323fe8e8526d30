import { config, vouch } from 'voight-example-quest';
import { visitor } from './visitor.js';
import { Claim } from './Claim.jsx';

/** The page of a quest. It is made for each visitor: what it hands to the browser is all that the browser may know. */
export default async function Quest() {
  const settings = config();
  const address = await visitor();
  const session = address && (await vouch(settings, address));
  return (
    <main>
      <h1>First light</h1>
      <p>One badge for each person.</p>
      <Claim service={settings.service} contextId={settings.contextId} address={address} session={session} />
    </main>
  );
}
