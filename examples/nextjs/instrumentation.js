/** Validates the configuration at the start instead of at the first claim. */
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') (await import('voight-example-quest')).config();
}
