//! Assets as they are served: comments stripped, linked, hashed and compressed once.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::LazyLock;

use data_encoding::BASE64;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha384};

use crate::link::{Plan, link};
use crate::sources::{SOURCES, Source};
use crate::strip::{strip_css, strip_javascript};

/// One file, ready to be sent. Everything in it lives as long as the process.
#[derive(Debug)]
pub struct Asset {
    /// Path below the service's root, without a leading slash: `sdk/v1/voight.js`.
    pub path: &'static str,
    /// Value of the `content-type` header.
    pub content_type: &'static str,
    /// The body as published: comments are stripped, and what is always loaded together is one file.
    pub bytes: &'static [u8],
    /// The same body, compressed with gzip at its highest level.
    pub gzip: &'static [u8],
    /// A strong entity tag with its quotes, made from the body.
    pub etag: &'static str,
    /// Subresource-integrity value: `sha384-` and base 64.
    pub integrity: &'static str,
}

impl Asset {
    /// Whether this is a module.
    pub fn is_script(&self) -> bool {
        extension(self.path) == "js"
    }
}

static ASSETS: LazyLock<BTreeMap<&'static str, Asset>> = LazyLock::new(|| {
    let texts = SOURCES.iter().map(|source| (source.path, body(source))).collect();
    link(texts, &PLAN).into_iter().map(|(path, body)| (path, publish(path, body))).collect()
});

/// The counters are the page's, and the element has them from the start. A language is asked for by itself.
const PLAN: Plan = Plan {
    entries: &["sdk/v1/dialog.js", "window/v1/stub.js", "window/v1/window.js", "window/v1/work-worker.js"],
    shared: &["sdk/v1/counters.js"],
    apart: |path| path.contains("/locales/"),
};

/// The asset at a path such as `window/v1/window.js`; none if there is no such file.
pub fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.get(path)
}

/// All assets, sorted by path.
pub fn assets() -> impl Iterator<Item = &'static Asset> {
    ASSETS.values()
}

fn publish(path: &'static str, body: String) -> Asset {
    let tag = blake3::hash(body.as_bytes()).to_hex();
    let digest = BASE64.encode(&Sha384::digest(body.as_bytes()));
    Asset {
        path,
        content_type: content_type(path),
        gzip: compress(body.as_bytes()).leak(),
        etag: format!("\"{}\"", &tag[..32]).leak(),
        integrity: format!("sha384-{digest}").leak(),
        bytes: body.leak().as_bytes(),
    }
}

fn body(source: &Source) -> String {
    match extension(source.file) {
        "js" => strip_javascript(source.text),
        "css" => strip_css(source.text),
        // A language file becomes a module, because the window's policy lets modules in and nothing else.
        "json" => format!("export default {};\n", source.text.trim_end()),
        _ => source.text.to_owned(),
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
        _ => "text/html; charset=utf-8",
    }
}

/// Writing to memory does not fail; if it did, an empty body would say that there is no compressed form.
fn compress(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).and_then(|()| encoder.finish()).unwrap_or_default()
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
    fn what_loads_before_the_first_click_fits_its_budget() {
        let first = ["sdk/v1/voight.js", "sdk/v1/counters.js", "sdk/v1/react.js"];
        let total: usize = first.iter().map(|path| size(path)).sum();
        assert!(total <= SDK_BUDGET, "{total} bytes of {SDK_BUDGET}");
    }

    #[test]
    fn the_first_load_imports_nothing_that_is_not_in_its_budget() {
        for (path, allowed) in [
            ("sdk/v1/voight.js", vec!["./counters.js"]),
            ("sdk/v1/counters.js", vec![]),
            ("sdk/v1/react.js", vec!["react", "./voight.js"]),
        ] {
            let text = str::from_utf8(asset(path).unwrap().bytes).unwrap();
            let imported: Vec<_> = text
                .lines()
                .filter(|line| line.starts_with("import ") || line.starts_with("} from "))
                .filter_map(|line| line.split('\'').nth(1))
                .collect();
            assert_eq!(imported, allowed, "{path}");
        }
    }

    /// What one visitor's window loads: what its document names, and the worker.
    fn loaded(locale: &str) -> BTreeSet<String> {
        let page = WindowPage { context: "", origin: "", test: false, status: "ok", locale, theme: None };
        let document = window_document(&page);
        let named = document.split("=\"/").skip(1).filter_map(|rest| rest.split('"').next());
        named.chain(["window/v1/work-worker.js"]).map(str::to_owned).collect()
    }

    #[test]
    fn the_window_fits_its_budget_in_every_language() {
        let texts = assets().filter_map(|asset| asset.path.strip_prefix("window/v1/locales/")?.strip_suffix(".js"));
        for locale in texts {
            let total: usize = loaded(locale).iter().map(|path| size(path)).sum();
            assert!(total <= WINDOW_BUDGET, "{total} bytes of {WINDOW_BUDGET} in {locale}");
        }
    }

    #[test]
    fn a_compressed_body_unpacks_to_the_body() {
        use std::io::Read as _;
        for asset in assets() {
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(asset.gzip).read_to_end(&mut unpacked).unwrap();
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
    fn a_linked_file_imports_what_is_shared_and_makes_each_module_before_its_use() {
        for entry in PLAN.entries {
            let text = str::from_utf8(asset(entry).unwrap().bytes).unwrap();
            let mut made = Vec::new();
            for line in text.lines() {
                if let Some(name) = line.strip_prefix("const $").and_then(|rest| rest.strip_suffix(" = (() => {")) {
                    made.push(name);
                } else if let Some((_, name)) = line.strip_suffix(';').and_then(|line| line.split_once(" = $")) {
                    assert!(made.contains(&name) || name == "counters", "{entry}: {line}");
                }
                let imports =
                    line.starts_with("import ") || line.starts_with("export {") || line.starts_with("export let");
                assert!(!imports || line == "import * as $counters from './counters.js';", "{entry}: {line}");
            }
            assert!(!made.is_empty(), "{entry}");
        }
    }

    #[test]
    fn every_import_names_an_asset() {
        for asset in assets().filter(|asset| asset.is_script()) {
            let folder = asset.path.rsplit_once('/').unwrap().0;
            let text = str::from_utf8(asset.bytes).unwrap();
            for target in text.split("from './").skip(1).map(|rest| rest.split('\'').next().unwrap()) {
                let path = format!("{folder}/{target}");
                assert!(super::asset(&path).is_some(), "{} imports {path}", asset.path);
            }
        }
    }

    #[test]
    fn no_asset_carries_a_comment_or_a_carriage_return() {
        for asset in assets() {
            let text = str::from_utf8(asset.bytes).unwrap();
            assert!(!text.contains("/**") && !text.contains("\n//") && !text.contains('\r'), "{}", asset.path);
        }
    }
}
