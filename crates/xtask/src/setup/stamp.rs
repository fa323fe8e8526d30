//! Telling whether a folder still holds what its list asks for: a copy of the list is left in the folder once all
//! of it is installed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// What a folder was, or is to be, installed from.
#[derive(Debug)]
pub(super) struct InstallStamp {
    file: PathBuf,
    content: String,
}

impl InstallStamp {
    /// The stamp for a folder that is installed from these files.
    pub(super) fn compute(files: &[PathBuf], folder: &Path) -> Result<Self> {
        let read = |file: &PathBuf| fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
        let content = files.iter().map(read).collect::<Result<String>>()?;
        Ok(Self { file: folder.join(".installed-from"), content })
    }

    /// Whether the folder was installed from the same files as they are now.
    pub(super) fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|content| content == self.content)
    }

    /// Says that the folder is complete.
    pub(super) fn write(&self) -> Result<()> {
        fs::write(&self.file, &self.content).with_context(|| format!("cannot write {}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::InstallStamp;

    #[test]
    fn a_stamp_is_current_until_its_list_changes() {
        let folder = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let list = folder.join("list");
        fs::write(&list, "a==1").unwrap();
        let files = [list.clone()];
        let stamp = InstallStamp::compute(&files, &folder).unwrap();
        assert!(!stamp.is_current());
        stamp.write().unwrap();
        assert!(InstallStamp::compute(&files, &folder).unwrap().is_current());
        fs::write(&list, "a==2").unwrap();
        assert!(!InstallStamp::compute(&files, &folder).unwrap().is_current());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_missing_list_is_named() {
        let missing = std::path::PathBuf::from("/nowhere/list");
        let error = InstallStamp::compute(&[missing], std::path::Path::new("/nowhere")).unwrap_err();
        assert_eq!(error.to_string(), "cannot read /nowhere/list");
    }
}
