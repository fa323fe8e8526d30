//! The list of all served files.

/// A file as it stands in the repository.
pub(crate) struct Source {
    /// Where it is served.
    pub(crate) path: &'static str,
    /// Where it stands below `assets/`.
    pub(crate) file: &'static str,
    pub(crate) text: &'static str,
}

macro_rules! sources {
    ($($path:literal <- $file:literal,)*) => {
        &[$(Source { path: $path, file: $file, text: include_str!(concat!("../assets/", $file)) },)*]
    };
}

pub(crate) static SOURCES: &[Source] = sources! {
    "demo/bots.js" <- "demo/bots.js",
    "demo/demo.css" <- "demo/demo.css",
    "demo/demo.js" <- "demo/demo.js",
    "demo/index.html" <- "demo/index.html",
    "demo/verdict.js" <- "demo/verdict.js",
    "sdk/v1/confirm.js" <- "sdk/confirm.js",
    "sdk/v1/counters.js" <- "sdk/counters.js",
    "sdk/v1/dialog.js" <- "sdk/dialog.js",
    "sdk/v1/frame.js" <- "sdk/frame.js",
    "sdk/v1/languages.js" <- "sdk/languages.js",
    "sdk/v1/locales/ar.js" <- "locales/ar.json",
    "sdk/v1/locales/de.js" <- "locales/de.json",
    "sdk/v1/locales/en.js" <- "locales/en.json",
    "sdk/v1/locales/es.js" <- "locales/es.json",
    "sdk/v1/locales/fr.js" <- "locales/fr.json",
    "sdk/v1/locales/id.js" <- "locales/id.json",
    "sdk/v1/locales/ja.js" <- "locales/ja.json",
    "sdk/v1/locales/ko.js" <- "locales/ko.json",
    "sdk/v1/locales/pt-BR.js" <- "locales/pt-BR.json",
    "sdk/v1/locales/ru.js" <- "locales/ru.json",
    "sdk/v1/locales/tr.js" <- "locales/tr.json",
    "sdk/v1/locales/vi.js" <- "locales/vi.json",
    "sdk/v1/locales/zh-CN.js" <- "locales/zh-CN.json",
    "sdk/v1/look.js" <- "sdk/look.js",
    "sdk/v1/palette.js" <- "shared/palette.js",
    "sdk/v1/modal.js" <- "sdk/modal.js",
    "sdk/v1/panel.js" <- "sdk/panel.js",
    "sdk/v1/patience.js" <- "sdk/patience.js",
    "sdk/v1/properties.js" <- "sdk/properties.js",
    "sdk/v1/react.js" <- "sdk/react.js",
    "sdk/v1/receipt.js" <- "sdk/receipt.js",
    "sdk/v1/run.js" <- "sdk/run.js",
    "sdk/v1/server.js" <- "sdk/server.js",
    "sdk/v1/server/call.js" <- "sdk/server/call.js",
    "sdk/v1/server/error.js" <- "sdk/server/error.js",
    "sdk/v1/server/offline.js" <- "sdk/server/offline.js",
    "sdk/v1/server/options.js" <- "sdk/server/options.js",
    "sdk/v1/server/receipt.js" <- "sdk/server/receipt.js",
    "sdk/v1/server/requests.js" <- "sdk/server/requests.js",
    "sdk/v1/style.js" <- "sdk/style.js",
    "sdk/v1/talk.js" <- "sdk/talk.js",
    "sdk/v1/voight.js" <- "sdk/voight.js",
    "sdk/v1/wallet.js" <- "sdk/wallet.js",
    "window/v1/api.js" <- "window/api.js",
    "window/v1/binding.js" <- "window/binding.js",
    "window/v1/check.js" <- "window/check.js",
    "window/v1/collect/copy.js" <- "window/collect/copy.js",
    "window/v1/collect/counts.js" <- "window/collect/counts.js",
    "window/v1/collect/device.js" <- "window/collect/device.js",
    "window/v1/collect/engine.js" <- "window/collect/engine.js",
    "window/v1/collect/env.js" <- "window/collect/env.js",
    "window/v1/collect/focus.js" <- "window/collect/focus.js",
    "window/v1/collect/keys.js" <- "window/collect/keys.js",
    "window/v1/collect/layout.js" <- "window/collect/layout.js",
    "window/v1/collect/native.js" <- "window/collect/native.js",
    "window/v1/collect/pointer.js" <- "window/collect/pointer.js",
    "window/v1/collect/probes.js" <- "window/collect/probes.js",
    "window/v1/collect/taps.js" <- "window/collect/taps.js",
    "window/v1/collect/touches.js" <- "window/collect/touches.js",
    "window/v1/collect/units.js" <- "window/collect/units.js",
    "window/v1/evidence.js" <- "window/evidence.js",
    "window/v1/failure.js" <- "window/failure.js",
    "window/v1/locales/ar.js" <- "locales/ar.json",
    "window/v1/locales/de.js" <- "locales/de.json",
    "window/v1/locales/en.js" <- "locales/en.json",
    "window/v1/locales/es.js" <- "locales/es.json",
    "window/v1/locales/fr.js" <- "locales/fr.json",
    "window/v1/locales/id.js" <- "locales/id.json",
    "window/v1/locales/ja.js" <- "locales/ja.json",
    "window/v1/locales/ko.js" <- "locales/ko.json",
    "window/v1/locales/pt-BR.js" <- "locales/pt-BR.json",
    "window/v1/locales/ru.js" <- "locales/ru.json",
    "window/v1/locales/tr.js" <- "locales/tr.json",
    "window/v1/locales/vi.js" <- "locales/vi.json",
    "window/v1/locales/zh-CN.js" <- "locales/zh-CN.json",
    "window/v1/memory.js" <- "window/memory.js",
    "window/v1/palette.js" <- "shared/palette.js",
    "window/v1/port.js" <- "window/port.js",
    "window/v1/puzzle.js" <- "window/puzzle.js",
    "window/v1/sha256.js" <- "window/sha256.js",
    "window/v1/strings.js" <- "window/strings.js",
    "window/v1/stub.js" <- "window/stub.js",
    "window/v1/view.js" <- "window/view.js",
    "window/v1/window.css" <- "window/window.css",
    "window/v1/window.js" <- "window/window.js",
    "window/v1/work-worker.js" <- "window/work-worker.js",
    "window/v1/work.js" <- "window/work.js",
};

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::SOURCES;

    /// Templates are filled in by `page`, and are no files to be served.
    const TEMPLATE: &str = "window/window.html";

    fn files(below: &Path, found: &mut Vec<String>, root: &Path) {
        for entry in std::fs::read_dir(below).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                files(&entry.path(), found, root);
            } else {
                found.push(entry.path().strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
            }
        }
    }

    #[test]
    fn every_file_of_the_assets_is_served() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let mut found = Vec::new();
        files(&root, &mut found, &root);
        let mut listed: Vec<_> = SOURCES.iter().map(|source| source.file.to_owned()).collect();
        listed.push(TEMPLATE.to_owned());
        found.sort();
        listed.sort();
        // Texts and colours are served to the page and to the window.
        listed.dedup();
        assert_eq!(found, listed);
    }
}
