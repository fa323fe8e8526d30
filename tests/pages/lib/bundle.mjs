// Pages of React: the wrapper from the repository and the libraries from here in one script, the element from the service.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const WRAPPER = `${process.env.VOIGHT_REPOSITORY}/crates/browser/assets/sdk/react.js`;

/** The element is one module for all of a page. @param {string} service @returns {import('esbuild').Plugin} */
const fromService = (service) => ({
  name: 'from the service',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/voight\.js$/ }, () => ({ path: `${service}/sdk/v1/voight.js`, external: true }));
  },
});

/** One script of a page under `apps`. @param {string} entry @param {string} service its URL @param {Record<string, string>} [alias] other versions of libraries */
export async function bundle(entry, service, alias = {}) {
  const { outputFiles } = await build({
    entryPoints: [here(`apps/${entry}`)],
    nodePaths: [here('node_modules')],
    alias: { '@voight/check/react': WRAPPER, ...alias },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [fromService(service)],
    jsx: 'automatic',
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}
