//! Store URLs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Which store, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoreUrl {
    /// `redb:PATH`: an embedded store in one file and its sidecars.
    Redb(PathBuf),
    /// `memory:`: ends with the process.
    Memory,
}

/// Why text is not the URL of a store that can be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StoreUrlError {
    /// A kind that other builds have.
    #[error("{0}: stores are not in this build; use redb:PATH or memory:")]
    NotInThisBuild(String),
    /// A path is missing, or there is one too many.
    #[error("the store {0:?} is not complete; write redb:PATH, for example redb:./voight.redb, or memory: alone")]
    Incomplete(String),
    /// No kind that is known.
    #[error("the store {0:?} is of no known kind; use redb:PATH or memory:")]
    Unknown(String),
}

impl StoreUrl {
    /// The URL with a relative path taken from `base`.
    pub(crate) fn within(self, base: &Path) -> Self {
        match self {
            Self::Redb(path) => Self::Redb(base.join(path)),
            Self::Memory => Self::Memory,
        }
    }

    /// The URL as it is remembered in a data directory: relative to it if it lies in it, so that the directory can be
    /// moved, else absolute. `None` for a store that is gone with its process.
    pub(crate) fn remembered(&self, data_dir: &Path) -> Option<String> {
        match self {
            Self::Redb(path) => {
                let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                let (path, dir) = (absolute(path), absolute(data_dir));
                let short = path.strip_prefix(&dir).map(Path::to_owned).unwrap_or(path);
                Some(Self::Redb(short).to_string())
            }
            Self::Memory => None,
        }
    }
}

impl FromStr for StoreUrl {
    type Err = StoreUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, rest) = text.split_once(':').ok_or_else(|| StoreUrlError::Unknown(text.to_owned()))?;
        match (kind, rest) {
            ("redb", path) if !path.is_empty() => Ok(Self::Redb(path.into())),
            ("memory", "") => Ok(Self::Memory),
            ("redb" | "memory", _) => Err(StoreUrlError::Incomplete(text.to_owned())),
            ("sled" | "postgres" | "postgresql", _) => Err(StoreUrlError::NotInThisBuild(kind.to_owned())),
            _ => Err(StoreUrlError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Redb(path) => write!(f, "redb:{}", path.display()),
            Self::Memory => f.write_str("memory:"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_or_named_in_the_refusal() {
        assert_eq!("redb:./a b.redb".parse(), Ok(StoreUrl::Redb("./a b.redb".into())));
        assert_eq!("memory:".parse(), Ok(StoreUrl::Memory));
        for text in ["redb:", "memory:x", "mysql://x", "voight.redb", ""] {
            let sentence = text.parse::<StoreUrl>().unwrap_err().to_string();
            assert!(sentence.contains("redb:PATH") && sentence.contains("memory:"), "{sentence}");
        }
        for text in ["sled:x", "postgres://h/d"] {
            assert!(text.parse::<StoreUrl>().unwrap_err().to_string().contains("not in this build"));
        }
    }

    #[test]
    fn a_store_in_its_data_directory_moves_with_it() {
        let url = StoreUrl::Redb("./data/voight.redb".into());
        assert_eq!(url.remembered(Path::new("data")).as_deref(), Some("redb:voight.redb"));
        let read: StoreUrl = "redb:voight.redb".parse().unwrap();
        assert_eq!(read.within(Path::new("/moved")), StoreUrl::Redb("/moved/voight.redb".into()));
        let elsewhere = StoreUrl::Redb("/srv/voight.redb".into());
        assert_eq!(elsewhere.remembered(Path::new("data")).as_deref(), Some("redb:/srv/voight.redb"));
    }
}
