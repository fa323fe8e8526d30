//! Files that tasks write.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file, and creates its directory.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let dir = path.parent().context("a file in a directory")?;
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a program, which everyone may execute.
pub(crate) fn write_program(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, bytes)?;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, mode)
        .with_context(|| format!("cannot change the mode of {}", path.display()))
}

/// Creates an empty directory. Removes the content of the default directory; rejects another one with content, which may belong
/// to the user.
pub(crate) fn empty_dir(named: Option<PathBuf>, default: PathBuf) -> Result<PathBuf> {
    let Some(dir) = named else {
        if default.exists() {
            fs::remove_dir_all(&default)
                .with_context(|| format!("cannot remove {}", default.display()))?;
        }
        fs::create_dir_all(&default)
            .with_context(|| format!("cannot create {}", default.display()))?;
        return Ok(default);
    };
    let dir = std::path::absolute(named_dir(dir)?)?;
    fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", dir.display()))?;
    Ok(dir)
}

fn named_dir(dir: PathBuf) -> Result<PathBuf> {
    if dir
        .read_dir()
        .is_ok_and(|mut entries| entries.next().is_some())
    {
        bail!(
            "{} is not empty; name an empty directory, or none to replace the one in the target directory",
            dir.display()
        );
    }
    Ok(dir)
}

/// Returns the names of the directories in a directory, sorted; none if it cannot be read.
pub(crate) fn directories(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut names: Vec<_> = directories
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// Returns the regular files below a directory, as sorted relative paths.
pub(crate) fn list(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    collect(dir, Path::new(""), &mut paths)?;
    paths.sort();
    Ok(paths)
}

fn collect(dir: &Path, below: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{empty_dir, list, write};

    #[test]
    fn nonempty_directory_is_rejected() {
        let dir = std::env::temp_dir().join(format!("xtask-package-{}", std::process::id()));
        let named_dir = || empty_dir(Some(dir.join("named")), dir.join("default"));
        assert_eq!(named_dir().unwrap(), dir.join("named"));
        write(&dir.join("named/a/package.json"), b"{}").unwrap();
        let error = named_dir().unwrap_err().to_string();
        assert!(
            error.contains("is not empty; name an empty directory"),
            "{error}"
        );
        assert_eq!(list(&dir).unwrap(), [Path::new("named/a/package.json")]);
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn the_default_directory_is_emptied() {
        let dir = std::env::temp_dir().join(format!("xtask-default-{}", std::process::id()));
        write(&dir.join("old"), b"").unwrap();
        assert_eq!(empty_dir(None, dir.clone()).unwrap(), dir);
        assert_eq!(list(&dir).unwrap(), Vec::<PathBuf>::new());
        fs::remove_dir_all(&dir).unwrap();
    }
}
