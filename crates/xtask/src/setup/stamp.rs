//! Install stamp, which marks a directory as current.
//!
//! A stamp is a copy of the dependency list, left in the directory after a complete installation.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Files from which a directory was or will be installed.
#[derive(Debug)]
pub(super) struct InstallStamp {
    file: PathBuf,
    content: String,
}

impl InstallStamp {
    /// Computes the stamp of a directory that is installed from these files.
    pub(super) fn compute(files: &[PathBuf], dir: &Path) -> Result<Self> {
        let read_file = |file: &PathBuf| {
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
        };
        let content = files.iter().map(read_file).collect::<Result<String>>()?;
        Ok(Self {
            file: dir.join(".installed-from"),
            content,
        })
    }

    /// Returns `true` if the directory was installed from the same content of the files.
    pub(super) fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|content| content == self.content)
    }

    /// Marks the directory as complete.
    pub(super) fn write(&self) -> Result<()> {
        fs::write(&self.file, &self.content)
            .with_context(|| format!("cannot write {}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::InstallStamp;

    #[test]
    fn a_stamp_is_current_until_its_list_changes() {
        let dir = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let list = dir.join("list");
        fs::write(&list, "a==1").unwrap();
        let files = [list.clone()];
        let stamp = InstallStamp::compute(&files, &dir).unwrap();
        assert!(!stamp.is_current());
        stamp.write().unwrap();
        assert!(InstallStamp::compute(&files, &dir).unwrap().is_current());
        fs::write(&list, "a==2").unwrap();
        assert!(!InstallStamp::compute(&files, &dir).unwrap().is_current());
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn the_error_names_a_missing_list() {
        let missing = std::path::PathBuf::from("/nowhere/list");
        let error =
            InstallStamp::compute(&[missing], std::path::Path::new("/nowhere")).unwrap_err();
        assert_eq!(error.to_string(), "cannot read /nowhere/list");
    }
}
