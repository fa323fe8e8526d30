// Without this, Next.js looks for the root among the folders above.
export default { turbopack: { root: import.meta.dirname }, outputFileTracingRoot: import.meta.dirname };
