//! Comparison of the age of a program with that of its sources.

use super::repository;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Returns a source of the program that has changed since it was built, if any.
///
/// The compiler lists the sources in a file beside the program. A program without that file was not built here, and is
/// accepted. Pages of the documentation are embedded as well, but tests write some of them and do not depend on them.
pub(super) fn newer_source(program: &Path) -> Option<PathBuf> {
    let build_time = changed(program)?;
    let dependencies = fs::read_to_string(program.with_extension("d")).ok()?;
    let mut code = sources(&dependencies)
        .into_iter()
        .filter(|source| !is_documentation(source));
    code.find(|source| changed(source).is_none_or(|change_time| change_time > build_time))
}

/// Returns `true` for `docs` and what is in it.
fn is_documentation(source: &Path) -> bool {
    let docs = repository().join("docs").canonicalize();
    docs.is_ok_and(|docs| source.starts_with(docs))
}

/// Returns the time of the last change of a file; `None` if it does not exist.
fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|facts| facts.modified()).ok()
}

/// Returns the sources in a dependency file of `make`: the program, a colon, and the files, with escaped spaces.
fn sources(dependencies: &str) -> Vec<PathBuf> {
    /// Placeholder for an escaped space, which no path contains.
    const SPACE: &str = "\0";
    let line = dependencies
        .lines()
        .next()
        .and_then(|line| line.split_once(": "));
    let files = line
        .map(|(_, files)| files.replace("\\ ", SPACE))
        .unwrap_or_default();
    files
        .split_whitespace()
        .map(|file| file.replace(SPACE, " ").into())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::Duration;

    #[test]
    fn newer_or_missing_source_makes_a_program_stale() {
        let folder = tempfile::tempdir().unwrap();
        let [program, list, old, new] =
            ["voight", "voight.d", "lib.rs", "with space.rs"].map(|name| folder.path().join(name));
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        let write = |path: &Path, after: u64| {
            File::create(path)
                .unwrap()
                .set_modified(start + Duration::from_secs(after))
                .unwrap();
        };
        write(&program, 10);
        write(&old, 5);
        write(&new, 11);
        assert_eq!(newer_source(&program), None, "no list");
        let escaped_path = new.display().to_string().replace(' ', "\\ ");
        fs::write(
            &list,
            format!("{}: {} {escaped_path}\n", program.display(), old.display()),
        )
        .unwrap();
        assert_eq!(newer_source(&program), Some(new.clone()));
        write(&new, 10);
        assert_eq!(newer_source(&program), None);
        fs::write(
            &list,
            format!(
                "{}: {}/docs/absent.md\n",
                program.display(),
                repository().canonicalize().unwrap().display()
            ),
        )
        .unwrap();
        assert_eq!(newer_source(&program), None, "documentation");
        fs::write(&list, format!("{}: {}\n", program.display(), old.display())).unwrap();
        fs::remove_file(&old).unwrap();
        assert_eq!(newer_source(&program), Some(old));
    }
}
