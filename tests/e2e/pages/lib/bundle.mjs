// Bundled scripts: pages of React, and modules that the service serves only inside others.
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const ASSETS = `${process.env.VOIGHT_REPOSITORY}/crates/browser/assets`;

/** Resolves the element to the module of the service, one for the whole page. @param {string} service @returns {import('esbuild').Plugin} */
const fromService = (service) => ({
  name: 'from the service',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/voight\.js$/ }, () => ({ path: `${service}/sdk/v1/voight.js`, external: true }));
  },
});

/** Bundles one script of a page under `apps`: the wrapper from the repository, the libraries from here, the element from the service.
 * @param {string} entry @param {string} service its URL @param {Record<string, string>} [alias] other versions of libraries
 * @param {string} [text] contents of the script, if it is not a file */
export async function bundle(entry, service, alias = {}, text) {
  const { outputFiles } = await build({
    ...(text
      ? { stdin: { contents: text, resolveDir: pathOf('apps'), sourcefile: entry, loader: 'tsx' } }
      : { entryPoints: [pathOf(`apps/${entry}`)] }),
    nodePaths: [pathOf('node_modules')],
    alias: { '@voight/check/react': `${ASSETS}/sdk/react.js`, ...alias },
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

/** Bundles modules of the window's source, as the text of an expression. @param {...string} names */
export async function windowModules(...names) {
  const { outputFiles } = await build({
    stdin: { contents: names.map((name) => `export * as ${name} from './${name}.js';`).join(''), resolveDir: `${ASSETS}/window` },
    bundle: true,
    format: 'iife',
    globalName: 'modules',
    write: false,
    logLevel: 'warning',
  });
  return `(() => { ${outputFiles[0].text} return modules; })()`;
}
