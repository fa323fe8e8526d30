// Builds what the binary embeds, and what the npm package contains, from the sources under `assets`:
//
//   node build.mjs TOOLS OUT
//
// TOOLS is a directory in whose `node_modules` esbuild is installed; OUT is an empty directory. `cargo xtask assets` runs this.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [tools, out] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(tools, 'package.json'))('esbuild');
const assets = fileURLToPath(new URL('assets', import.meta.url));

const languages = (await readdir(join(assets, 'locales'))).map((file) => basename(file, '.json'));

/** Entry points by their path on the service, without the extension. */
const BROWSER = [
  ...['counters', 'dialog', 'react', 'voight'].map((name) => [`sdk/v1/${name}`, `sdk/${name}.js`]),
  ...['stub', 'window', 'work-worker'].map((name) => [`window/v1/${name}`, `window/${name}.js`]),
  // The page and the window are of different origins: each loads the texts from its own folder.
  ...['sdk', 'window'].flatMap((folder) => languages.map((tag) => [`${folder}/v1/locales/${tag}`, `locales/${tag}.json`])),
  ['window/v1/window', 'window/window.css'],
  ['demo/demo', 'demo/demo.js'],
  ['demo/demo', 'demo/demo.css'],
  ['demo/index', 'demo/index.html'],
];
/** Backends load it, and developers read it in their stack traces. */
const SERVER = [['sdk/v1/server', 'sdk/server.js']];

/** Texts: one object as the default export. English is bundled with the dialog; the dialog loads other languages on demand. */
const texts = {
  name: 'texts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.\/locales\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: path.replace('../', './').replace(/json$/, 'js'), external: true } : undefined);
    onLoad({ filter: /\/locales\/[^/]+\.json$/ }, async ({ path }) => ({ contents: `export default ${await readFile(path, 'utf8')}`, loader: 'js' }));
  },
};

/** @param {string[][]} entries @param {object} more */
const bundle = (entries, more) =>
  build({
    absWorkingDir: assets,
    entryPoints: entries.map(([to, from]) => ({ in: from, out: to })),
    outdir: out,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [texts],
    ...more,
  });

await bundle(BROWSER, {
  // Names and statements stay, so that what is reviewed is what runs.
  minifyWhitespace: true,
  loader: { '.html': 'copy' },
  // Loaded once by all of a page, or lazily, or by the platform itself.
  external: ['./counters.js', './dialog.js', './voight.js', 'react', '/window/v1/*'],
});
await bundle(SERVER, { platform: 'neutral' });

// esbuild drops the comments by which webpack and Vite leave an import alone. The retry of a module that could not be loaded needs them.
const element = join(out, 'sdk/v1/voight.js');
const [before, after, ...others] = (await readFile(element, 'utf8')).split('import(import.meta.url.');
if (!after || others.length > 0) throw new Error('sdk/voight.js has no single import by `import.meta.url` any more; change build.mjs with it');
await writeFile(element, `${before}import(/* webpackIgnore: true */ /* @vite-ignore */ import.meta.url.${after}`);
