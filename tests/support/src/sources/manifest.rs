//! Dependencies in manifests, by their lines.

use std::collections::BTreeMap;

/// Returns the directories of the packages that the manifest of a workspace names as dependencies by their paths.
pub(super) fn workspace_packages(manifest: &str) -> BTreeMap<String, String> {
    let entries = manifest
        .lines()
        .filter_map(|line| line.split_once(" = { path = \""));
    let entries = entries.filter_map(|(name, rest)| Some((name.trim(), rest.split_once('"')?.0)));
    entries
        .map(|(name, path)| (name.to_owned(), path.to_owned()))
        .collect()
}

/// Returns the names of the dependencies of a package and of its build script. Those of its tests are left out.
pub(super) fn dependencies(manifest: &str) -> Vec<String> {
    let mut is_listed = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            is_listed =
                section.ends_with("dependencies]") && !section.ends_with("dev-dependencies]");
        } else if is_listed && line.starts_with(|first: char| first.is_ascii_alphanumeric()) {
            names.extend(line.split(['.', ' ', '=']).next().map(str::to_owned));
        }
    }
    names
}
