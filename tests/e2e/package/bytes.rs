//! `npm pack` packs the bytes that the binary serves.

use crate::package::Project;
use data_encoding::BASE64;
use sha2::{Digest as _, Sha384};
use std::collections::BTreeSet;
use std::path::Path;
use voight_tests::server::Server;
use voight_tests::test_name;
use voight_tests::{command, http, paths};

/// Directory of the modules, in the package and on the service.
const PACKAGED: &str = "assets/sdk/";
const SERVED: &str = "/sdk/v1/";

/// Returns the paths of the files below a directory.
pub(super) fn files(root: &Path) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    collect(root, root, &mut paths);
    paths
}

fn collect(below: &Path, root: &Path, paths: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(below)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
    {
        if entry.is_dir() {
            collect(&entry, root, paths);
        } else {
            let name = entry
                .strip_prefix(root)
                .expect("below the root")
                .to_string_lossy()
                .into_owned();
            paths.insert(name);
        }
    }
}

#[test]
fn packed_modules_equal_the_served_ones() {
    let Some(project) = Project::new(test_name!()) else {
        return;
    };
    let installation = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&installation.path().join("data"));
    let doctor = command::json(server.data_dir(), &["doctor", "--assets"]);
    let offline = command::json(
        &installation.path().join("nothing"),
        &["doctor", "--assets"],
    );
    assert_eq!(
        doctor["assets"], offline["assets"],
        "a binary knows its own files"
    );
    let component = doctor["assets"]
        .as_array()
        .expect("the files of the component");

    let mut expected_files: BTreeSet<_> =
        ["package.json", "README.md", "LICENSE", "types/voight.d.ts"]
            .into_iter()
            .map(str::to_owned)
            .collect();
    for asset in component {
        let path = asset["path"].as_str().expect("a path");
        let name = path.strip_prefix(SERVED).expect("a path of the component");
        let packaged_text =
            std::fs::read_to_string(project.package.join(PACKAGED).join(name)).expect(path);
        let answer = http::get(&http::agent(), &format!("{}{path}", server.url()), &[])
            .expect("the server answers");
        assert_eq!(
            (answer.status, &answer.body),
            (200, &packaged_text),
            "{path}"
        );
        let digest = BASE64.encode(&Sha384::digest(packaged_text.as_bytes()));
        assert_eq!(asset["integrity"], format!("sha384-{digest}"), "{path}");
        expected_files.insert(format!("{PACKAGED}{name}"));
    }
    // Declarations are compared with the sources, several of which are served as one file.
    let sources = paths::repository().join("crates/browser");
    let declares = |name: &String| {
        name.strip_suffix(".d.ts")
            .is_some_and(|stem| sources.join(format!("{stem}.js")).exists())
    };
    let other_files: BTreeSet<_> = files(&project.package)
        .into_iter()
        .filter(|name| !declares(name))
        .collect();
    assert_eq!(other_files, expected_files);
}

#[test]
fn package_has_the_version_of_the_binary() {
    let text = std::fs::read_to_string(paths::repository().join("crates/browser/package.json"))
        .expect("the manifest");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let version = manifest["version"].as_str().expect("a version");
    assert_eq!(
        version,
        env!("CARGO_PKG_VERSION"),
        "crates/browser/package.json follows the workspace"
    );
    let page = std::fs::read_to_string(paths::repository().join("docs/reference/component.md"))
        .expect("the reference");
    assert!(
        page.contains(&format!("/sdk/voight-check-{version}.tgz")),
        "the reference names the URL of another version"
    );
}
