// Pages in one of the React versions, bundled as by platforms: for a server, and for the browser.
import { build } from 'esbuild';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { modules } from './sdk.mjs';

const FOLDER = resolve(import.meta.dirname, '..');
/** Returns the package name; React 19 has no suffix. */
const name = (library, version) => (version === 19 ? library : `${library}-${version}`);

const SERVER = `
  import { renderToString } from 'react-dom/server';
  import { page } from './react/quest.jsx';
  export const render = (given) => renderToString(page(given));`;
const HYDRATE = {
  17: `import { hydrate } from 'react-dom'; const start = (node, page) => hydrate(page, node);`,
  18: `import { hydrateRoot as start } from 'react-dom/client';`,
  19: `import { hydrateRoot as start } from 'react-dom/client';`,
};
const client = (version) => `
  ${HYDRATE[version]}
  import { page } from './react/quest.jsx';
  start(document.getElementById('root'), page(window.given));`;

const bundle = async (service, version, contents, more) =>
  build({
    stdin: { contents, resolveDir: FOLDER, sourcefile: 'entry.jsx', loader: 'jsx' },
    absWorkingDir: FOLDER,
    alias: {
      '@voight/check': await modules(service),
      react: name('react', version),
      'react-dom': name('react-dom', version),
    },
    // Two of three versions have the newer JSX transform; all have this one.
    jsx: 'transform',
    jsxFactory: '__createElement',
    jsxFragment: '__Fragment',
    inject: [join(FOLDER, 'react/shim.js')],
    define: { 'process.env.NODE_ENV': '"development"' },
    bundle: true,
    write: false,
    logLevel: 'error',
    ...more,
  });

/** Renders the page as a server of this version does, without a document. @param {import('./service.mjs').Service} service @param {17 | 18 | 19} version @param {object} given */
export async function rendered(service, version, given) {
  const { outputFiles } = await bundle(service, version, SERVER, { platform: 'node', format: 'cjs', logOverride: { 'empty-import-meta': 'silent' } });
  const file = join(await mkdtemp(join(tmpdir(), 'voight-react-')), 'server.cjs');
  await writeFile(file, outputFiles[0].text);
  return createRequire(file)(file).render(given);
}

/** Puts the page's modules on a site. @param {import('./service.mjs').Service} service @param {17 | 18 | 19} version @param {import('./site.mjs').Site} site
 * @returns the path of the first */
export async function served(service, version, site) {
  const how = { platform: 'browser', format: 'esm', splitting: true, outdir: '/', entryNames: `react-${version}`, target: 'es2022' };
  const { outputFiles } = await bundle(service, version, client(version), how);
  for (const { path, text } of outputFiles) site.put(path, text);
  return `/react-${version}.js`;
}
