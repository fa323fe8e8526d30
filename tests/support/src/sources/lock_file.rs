//! Versions of dependencies in `Cargo.lock`, by its lines.

use std::collections::{BTreeMap, BTreeSet};

/// Parsed lock file.
#[derive(Debug)]
pub(super) struct LockFile {
    /// Locked packages, by name; one name may have several versions.
    packages: BTreeMap<String, Vec<LockedPackage>>,
}

#[derive(Debug, Default)]
struct LockedPackage {
    version: String,
    /// Names of its dependencies.
    dependencies: Vec<String>,
}

impl LockFile {
    /// Parses the form that cargo writes.
    pub(super) fn parse(text: &str) -> Self {
        let mut packages = BTreeMap::<_, Vec<_>>::new();
        for block in text.split("[[package]]").skip(1) {
            let value = |member: &str| {
                block.lines().find_map(|line| {
                    line.strip_prefix(member)?
                        .strip_prefix(" = \"")?
                        .strip_suffix('"')
                })
            };
            let dependency_names = block
                .lines()
                .filter_map(|line| line.strip_prefix(" \"")?.split(['"', ' ']).next());
            let dependencies = dependency_names.map(str::to_owned).collect();
            if let (Some(name), Some(version)) = (value("name"), value("version")) {
                let version = version.to_owned();
                packages
                    .entry(name.to_owned())
                    .or_default()
                    .push(LockedPackage {
                        version,
                        dependencies,
                    });
            }
        }
        Self { packages }
    }

    /// Returns the names and versions of packages and of all that they depend on.
    pub(super) fn versions(&self, names: &[String]) -> BTreeSet<String> {
        let mut visited_packages = BTreeSet::new();
        let mut versions = BTreeSet::new();
        let mut open = names.to_vec();
        while let Some(name) = open.pop() {
            if visited_packages.insert(name.clone()) {
                for LockedPackage {
                    version,
                    dependencies,
                } in self.packages.get(&name).into_iter().flatten()
                {
                    versions.insert(format!("{name} {version}"));
                    open.extend(dependencies.iter().cloned());
                }
            }
        }
        versions
    }
}
