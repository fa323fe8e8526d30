//! Embedded files as they are served: hashed and compressed once per process.

use std::borrow::{Borrow as _, Cow};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::LazyLock;

use data_encoding::BASE64;
use flate2::{Compression, write::GzEncoder};
use rust_embed::Embed;
use sha2::{Digest as _, Sha384};

/// Directory that `cargo xtask assets` builds; its paths are those at which the files are served.
#[derive(Embed)]
#[folder = "dist/"]
struct Dist;

/// File that is ready to be sent. Its contents live as long as the process.
#[derive(Debug)]
pub struct Asset {
    /// Path below the service's root, without a leading slash: `sdk/v1/voight.js`.
    pub path: &'static str,
    /// Value of the `content-type` header.
    pub content_type: &'static str,
    /// Body without compression.
    pub bytes: &'static [u8],
    /// Body compressed with gzip at its highest level; empty for a body that is compressed itself.
    pub gzip: &'static [u8],
    /// Strong entity tag with its quotes, derived from the body.
    pub etag: &'static str,
    /// Subresource-integrity value: `sha384-` and base64.
    pub integrity: &'static str,
}

impl Asset {
    /// Returns `true` for a JavaScript module.
    pub fn is_script(&self) -> bool {
        extension(self.path) == "js"
    }
}

/// Archive of the npm package `@voight/check`. The path has the name that `npm pack` gives to this version.
static NPM_PACKAGE: LazyLock<Asset> = LazyLock::new(|| {
    let archive = include_bytes!(concat!(env!("OUT_DIR"), "/npm-package.tgz"));
    let path = concat!("sdk/voight-check-", env!("CARGO_PKG_VERSION"), ".tgz");
    Asset {
        gzip: &[],
        ..publish(path, archive)
    }
});

static ASSETS: LazyLock<BTreeMap<&'static str, Asset>> = LazyLock::new(|| {
    let publish = |path: &'static str| Some((path, publish(path, leak(Dist::get(path)?.data))));
    Dist::iter().map(leak).filter_map(publish).collect()
});

/// Extends the lifetime of embedded content to that of the process, which the type of the embedding does not express.
fn leak<T>(content: Cow<'static, T>) -> &'static T
where
    T: ToOwned<Owned: 'static> + ?Sized,
{
    match content {
        Cow::Borrowed(content) => content,
        Cow::Owned(content) => (*Box::leak(Box::new(content))).borrow(),
    }
}

/// Returns the files of the component.
pub fn component_assets() -> impl Iterator<Item = &'static Asset> {
    assets().filter(|asset| asset.path.starts_with("sdk/"))
}

/// Returns the archive of the npm package, with the modules of the component, their types and the helper for backends.
pub fn npm_package() -> &'static Asset {
    &NPM_PACKAGE
}

/// Returns the asset at a path such as `window/v1/window.js`, or `None` if there is no such file.
pub fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.get(path)
}

/// Returns all assets, sorted by path.
pub fn assets() -> impl Iterator<Item = &'static Asset> {
    ASSETS.values()
}

fn publish(path: &'static str, bytes: &'static [u8]) -> Asset {
    let tag = blake3::hash(bytes).to_hex();
    let digest = BASE64.encode(&Sha384::digest(bytes));
    Asset {
        path,
        content_type: content_type(path),
        gzip: compress(bytes).leak(),
        etag: format!("\"{}\"", &tag[..32]).leak(),
        integrity: format!("sha384-{digest}").leak(),
        bytes,
    }
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn content_type(path: &str) -> &'static str {
    match extension(path) {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "tgz" => "application/gzip",
        _ => "text/html; charset=utf-8",
    }
}

/// Compresses the body. Writing to memory cannot fail; an empty result would mean that no compressed form exists.
fn compress(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(body)
        .and_then(|()| encoder.finish())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{WindowPage, window_document};
    use std::collections::BTreeSet;

    const SDK_BUDGET: usize = 4096;
    const WINDOW_BUDGET: usize = 25_000;

    fn size(path: &str) -> usize {
        asset(path).unwrap().gzip.len()
    }

    #[test]
    fn assets_before_the_first_click_are_within_their_budget() {
        let first = ["sdk/v1/voight.js", "sdk/v1/react.js"];
        let total: usize = first.iter().map(|path| size(path)).sum();
        assert!(total <= SDK_BUDGET, "{total} bytes of {SDK_BUDGET}");
    }

    /// Returns the modules that a module imports: `import{a}from"./b.js"`, `import"./b.js"`, `import("./b.js")`.
    fn imports(text: &str) -> impl Iterator<Item = &str> {
        let statements = text
            .split(';')
            .flat_map(|part| part.split("import(").skip(1).chain(statement(part)));
        statements.filter_map(|rest| rest.strip_prefix('"')?.split('"').next())
    }

    /// Returns the target of an import or export statement, with its quotes.
    fn statement(part: &str) -> Option<&str> {
        let part = part.trim_start();
        if !part.starts_with("import") && !part.starts_with("export") {
            return None;
        }
        part.strip_prefix("import")
            .filter(|rest| rest.starts_with('"'))
            .or_else(|| Some(part.split_once("from")?.1))
    }

    #[test]
    fn the_first_load_imports_nothing_that_is_not_in_its_budget() {
        for (path, allowed) in [
            ("sdk/v1/voight.js", vec![]),
            ("sdk/v1/react.js", vec!["react", "./voight.js"]),
        ] {
            let text = str::from_utf8(asset(path).unwrap().bytes).unwrap();
            let lazy = ["./dialog.js", "./diagnostics.js"];
            let imported: Vec<_> = imports(text)
                .filter(|target| !lazy.contains(target))
                .collect();
            assert_eq!(imported, allowed, "{path}");
        }
    }

    /// Returns the files that a visitor's window loads: those that its document names, their imports, and the worker.
    fn loaded(locale: &str) -> BTreeSet<String> {
        let page = WindowPage {
            context: "",
            origin: "",
            test: false,
            status: "ok",
            reference: "",
            locale,
            theme: None,
        };
        let document = window_document(&page).unwrap();
        let named = document
            .split("=\"/")
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        named
            .chain(["window/v1/work-worker.js"])
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn the_window_fits_its_budget_in_every_language() {
        let texts = assets().filter_map(|asset| {
            asset
                .path
                .strip_prefix("window/v1/locales/")?
                .strip_suffix(".js")
        });
        for locale in texts {
            let total: usize = loaded(locale).iter().map(|path| size(path)).sum();
            assert!(
                total <= WINDOW_BUDGET,
                "{total} bytes of {WINDOW_BUDGET} in {locale}"
            );
        }
    }

    #[test]
    fn a_compressed_body_unpacks_to_the_body() {
        use std::io::Read as _;
        for asset in assets() {
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(asset.gzip)
                .read_to_end(&mut unpacked)
                .unwrap();
            assert_eq!(unpacked, asset.bytes, "{}", asset.path);
        }
    }

    #[test]
    fn tags_and_integrity_are_those_of_the_body() {
        let asset = asset("sdk/v1/voight.js").unwrap();
        let digest = BASE64.encode(&Sha384::digest(asset.bytes));
        assert_eq!(asset.integrity, format!("sha384-{digest}"));
        assert_eq!(asset.etag.len(), 34);
        let tags: BTreeSet<_> = assets().map(|asset| asset.etag).collect();
        let bodies: BTreeSet<_> = assets().map(|asset| asset.bytes).collect();
        assert_eq!(tags.len(), bodies.len());
    }

    #[test]
    fn every_import_names_an_asset() {
        for asset in assets().filter(|asset| asset.is_script()) {
            let folder = asset.path.rsplit_once('/').unwrap().0;
            let text = str::from_utf8(asset.bytes).unwrap();
            for target in imports(text).filter_map(|target| target.strip_prefix("./")) {
                let path = format!("{folder}/{target}");
                assert!(
                    super::asset(&path).is_some(),
                    "{} imports {path}",
                    asset.path
                );
            }
        }
    }

    #[test]
    fn npm_package_contains_served_modules_and_types() {
        use std::io::Read as _;
        let package = npm_package();
        assert_eq!(
            package.path,
            format!("sdk/voight-check-{}.tgz", env!("CARGO_PKG_VERSION"))
        );
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(package.bytes));
        let mut files = BTreeMap::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            files.insert(path, bytes);
        }
        for asset in component_assets() {
            let path = asset.path.replace("sdk/v1/", "package/assets/sdk/");
            assert_eq!(
                files.get(&path).map(Vec::as_slice),
                Some(asset.bytes),
                "{path}"
            );
        }
        let manifest: serde_json::Value =
            serde_json::from_slice(&files["package/package.json"]).unwrap();
        assert_eq!(
            (&manifest["name"], &manifest["version"]),
            (&"@voight/check".into(), &env!("CARGO_PKG_VERSION").into())
        );
        for export in manifest["exports"].as_object().unwrap().values() {
            let targets = export.as_str().into_iter().chain(
                ["types", "default"]
                    .iter()
                    .filter_map(|key| export[*key].as_str()),
            );
            for target in targets {
                let path = target.replacen('.', "package", 1);
                assert!(
                    files.contains_key(&path),
                    "{path} is exported and not packed"
                );
            }
        }
    }

    #[test]
    fn retry_import_is_ignored_by_bundlers() {
        let text = str::from_utf8(asset("sdk/v1/voight.js").unwrap().bytes).unwrap();
        assert!(
            text.contains("import(/* webpackIgnore: true */ /* @vite-ignore */ import.meta.url")
        );
    }

    #[test]
    fn modules_that_load_together_are_one_file() {
        let paths: Vec<_> = assets()
            .map(|asset| asset.path)
            .filter(|path| !path.contains("/locales/"))
            .collect();
        let demo = ["demo/demo.css", "demo/demo.js", "demo/index.html"];
        let sdk = [
            "diagnostics.js",
            "dialog.js",
            "react.js",
            "server.js",
            "voight.js",
        ]
        .map(|file| format!("sdk/v1/{file}"));
        let window = ["stub.js", "window.css", "window.js", "work-worker.js"]
            .map(|file| format!("window/v1/{file}"));
        assert_eq!(
            paths,
            [demo.map(str::to_owned).as_slice(), &sdk, &window].concat()
        );
    }
}
