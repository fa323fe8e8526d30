// Builds the files that the binary embeds and the npm package contains, from the sources under `assets`:
//
//   node build.mjs TOOLS OUT
//
// TOOLS is a directory whose `node_modules` contains esbuild; OUT is an empty directory. `cargo xtask assets` runs this.
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
  ...['diagnostics', 'dialog', 'react', 'voight'].map((name) => [`sdk/v1/${name}`, `sdk/${name}.js`]),
  ...['stub', 'window', 'work-worker'].map((name) => [`window/v1/${name}`, `window/${name}.js`]),
  // Page and window have different origins: each loads the texts from its own directory.
  ...['sdk', 'window'].flatMap((directory) => languages.map((tag) => [`${directory}/v1/locales/${tag}`, `locales/${tag}.json`])),
  ['window/v1/window', 'window/window.css'],
  ['demo/demo', 'demo/demo.js'],
  ['demo/demo', 'demo/demo.css'],
  ['demo/index', 'demo/index.html'],
];
/** Entry point for backends, not minified: developers read it in their stack traces. */
const SERVER = [['sdk/v1/server', 'sdk/server.js']];

/** Plugin for texts: one object as the default export. English is bundled with the dialog; other languages are loaded on demand. */
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
  // Names and statements stay unchanged, so that the reviewed code is the code that runs.
  minifyWhitespace: true,
  loader: { '.html': 'copy' },
  // Modules that are shared within a page, loaded lazily, or provided by the platform.
  external: ['./diagnostics.js', './dialog.js', './voight.js', 'react', '/window/v1/*'],
});
await bundle(SERVER, { platform: 'neutral' });

// esbuild drops the comments that make webpack and Vite ignore an import. The retry of a module that failed to load needs them.
const element = join(out, 'sdk/v1/voight.js');
const [before, after, ...others] = (await readFile(element, 'utf8')).split('import(import.meta.url.');
if (!after || others.length > 0) throw new Error('sdk/voight.js has no single import by `import.meta.url` any more; change build.mjs with it');
await writeFile(element, `${before}import(/* webpackIgnore: true */ /* @vite-ignore */ import.meta.url.${after}`);
