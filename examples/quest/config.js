// Required environment variables.
const REQUIRED = {
  VOIGHT_URL: 'the address of the Voight service, such as http://localhost:8080',
  VOIGHT_API_KEY: 'the secret key that registered the context',
  VOIGHT_CONTEXT: "the quest's context, such as spring_quest.01kanc5xt6f3vq0d9g8m2y7rwb",
};

/** Returns the configuration of a quest; if variables are missing, prints a line for each and ends the process. */
export function config() {
  const missing = Object.keys(REQUIRED).filter((name) => !process.env[name]);
  for (const name of missing) console.error(`${name} is not set: export it, it is ${REQUIRED[name]}.`);
  if (missing.length > 0) process.exit(2);
  const { VOIGHT_URL, VOIGHT_API_KEY, VOIGHT_CONTEXT, SIGN_IN_SECRET, VOIGHT_WEBHOOK_SECRET } = process.env;
  return {
    service: VOIGHT_URL.replace(/\/+$/, ''),
    apiKey: VOIGHT_API_KEY,
    contextId: VOIGHT_CONTEXT,
    secret: SIGN_IN_SECRET,
    webhookSecret: VOIGHT_WEBHOOK_SECRET,
  };
}
