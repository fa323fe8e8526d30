// Without this setting, Next.js searches the parent directories for the root of the project.
export default { turbopack: { root: import.meta.dirname }, outputFileTracingRoot: import.meta.dirname };
