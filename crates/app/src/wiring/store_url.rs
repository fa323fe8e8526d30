//! Store URLs, and the engine of each kind of store in files.

use crate::exit::{CommandError, Exit};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use voight_postgres::{PostgresUrl, PostgresUrlError};

/// Engine of a store in files. A new engine needs a variant, a row of [`SCHEMES`] and an arm of [`with_engine`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EngineKind {
    /// redb: one file with sidecars. The default.
    Redb,
    /// sled: one directory with sidecars.
    #[cfg(feature = "sled")]
    Sled,
}

/// Schemes of the engines in this build.
const SCHEMES: &[(&str, EngineKind)] = &[
    ("redb", EngineKind::Redb),
    #[cfg(feature = "sled")]
    ("sled", EngineKind::Sled),
];
/// Schemes of engines that a build may leave out. Each one is the name of its Cargo feature.
const OPTIONAL_SCHEMES: [&str; 1] = ["sled"];

/// Evaluates an expression with the engine and the path of the store at a URL; an error for a store without files.
macro_rules! with_engine {
    ($url:expr, |$engine:ident, $path:ident| $body:expr) => {
        match $url {
            $crate::wiring::StoreUrl::Files($crate::wiring::EngineKind::Redb, $path) => {
                type $engine = voight_redb::WalRedb;
                $body
            }
            #[cfg(feature = "sled")]
            $crate::wiring::StoreUrl::Files($crate::wiring::EngineKind::Sled, $path) => {
                type $engine = voight_sled::SledEngine;
                $body
            }
            url => Err($crate::wiring::store_url::no_files(url)),
        }
    };
}
pub(super) use with_engine;

/// Kind and location of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoreUrl {
    /// `redb:PATH`, `sled:PATH`: an embedded store.
    Files(EngineKind, PathBuf),
    /// `postgres://…`: a database that several processes share.
    Postgres(PostgresUrl),
    /// `memory:`: a store that ends with the process.
    Memory,
}

impl EngineKind {
    /// Returns the scheme of the engine's URLs.
    fn scheme(self) -> &'static str {
        let row = SCHEMES.iter().find(|(_, kind)| *kind == self);
        row.map_or("", |(scheme, _)| scheme)
    }
}

/// Returns the store URLs of this build, for error messages.
fn supported_urls() -> String {
    let mut urls = String::new();
    for (scheme, _) in SCHEMES {
        urls += scheme;
        urls += ":PATH, ";
    }
    urls + "postgres://USER@HOST/DATABASE or memory:"
}

/// Error of parsing a store URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StoreUrlError {
    /// Kind of store that this build does not include.
    #[error(
        "{0}: stores are not in this build; take one with the Cargo feature `{0}`, which is on by default, or use {urls}",
        urls = supported_urls()
    )]
    WithoutFeature(String),
    /// Invalid database URL.
    #[error(transparent)]
    Database(#[from] PostgresUrlError),
    /// Missing path, or superfluous path.
    #[error(
        "the store {0:?} is not complete; write {urls}, for example redb:./voight.redb",
        urls = supported_urls()
    )]
    Incomplete(String),
    /// Unknown kind of store.
    #[error("the store {0:?} is of no known kind; use {urls}", urls = supported_urls())]
    Unknown(String),
}

impl StoreUrl {
    /// Resolves a relative path against `base`.
    pub(crate) fn within(self, base: &Path) -> Self {
        self.map_path(|path| base.join(path))
    }

    /// Returns the URL for the marker of a data directory; `None` for a store in memory.
    ///
    /// The URL has no password. A path in the directory is relative, so that the directory can be moved; any other path is
    /// absolute.
    pub(crate) fn persisted_form(&self, data_dir: &Path) -> Option<String> {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let dir = absolute(data_dir);
        let short = |path: &Path| {
            let path = absolute(path);
            path.strip_prefix(&dir).map(Path::to_owned).unwrap_or(path)
        };
        (*self != Self::Memory).then(|| self.map_path(short).to_string())
    }

    /// Returns the path of a store in files.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Files(_, path) => Some(path),
            Self::Postgres(_) | Self::Memory => None,
        }
    }

    /// Returns the same kind of store at the path that `place` derives from its path.
    fn map_path(&self, place: impl FnOnce(&Path) -> PathBuf) -> Self {
        match self {
            Self::Files(engine, path) => Self::Files(*engine, place(path)),
            Self::Postgres(url) => Self::Postgres(url.clone()),
            Self::Memory => Self::Memory,
        }
    }
}

/// Returns the error of a command that needs a store in files.
pub(super) fn no_files(url: &StoreUrl) -> CommandError {
    let sentence = match url {
        StoreUrl::Memory => {
            "the store memory: ends with its process and has no files; name a persistent store, for example redb:PATH"
                .to_owned()
        }
        database => format!(
            "the store {database} is a database and has no store files; use its server, and back the database up with pg_basebackup or pg_dump"
        ),
    };
    CommandError::new(Exit::Usage, sentence)
}

impl FromStr for StoreUrl {
    type Err = StoreUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (scheme, rest) = text
            .split_once(':')
            .ok_or_else(|| StoreUrlError::Unknown(text.to_owned()))?;
        let row = SCHEMES.iter().find(|(name, _)| *name == scheme);
        match (row, scheme, rest) {
            (Some(_), _, "") => Err(StoreUrlError::Incomplete(text.to_owned())),
            (Some((_, engine)), ..) => Ok(Self::Files(*engine, rest.into())),
            (None, "memory", "") => Ok(Self::Memory),
            (None, "memory", _) => Err(StoreUrlError::Incomplete(text.to_owned())),
            (None, "postgres" | "postgresql", _) => Ok(Self::Postgres(text.parse()?)),
            (None, ..) if OPTIONAL_SCHEMES.contains(&scheme) => {
                Err(StoreUrlError::WithoutFeature(scheme.to_owned()))
            }
            (None, ..) => Err(StoreUrlError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Files(engine, path) => write!(f, "{}:{}", engine.scheme(), path.display()),
            Self::Postgres(url) => write!(f, "{url}"),
            Self::Memory => f.write_str("memory:"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_or_named_in_the_rejection() {
        assert_eq!(
            "redb:./a b.redb".parse(),
            Ok(StoreUrl::Files(EngineKind::Redb, "./a b.redb".into()))
        );
        assert_eq!("memory:".parse(), Ok(StoreUrl::Memory));
        for text in ["redb:", "memory:x", "mysql://x", "voight.redb", ""] {
            let sentence = text.parse::<StoreUrl>().unwrap_err().to_string();
            assert!(
                sentence.contains("redb:PATH") && sentence.contains("memory:"),
                "{sentence}"
            );
        }
    }

    #[test]
    fn database_url_is_stored_without_its_password() {
        let url: StoreUrl = "postgres://voight:secret@db.example/voight"
            .parse()
            .unwrap();
        assert_eq!(
            url.persisted_form(Path::new(".")).as_deref(),
            Some("postgres://voight@db.example/voight")
        );
        assert_eq!(
            (url.path(), url.to_string().contains("secret")),
            (None, false)
        );
        let sentence = "postgres://voight:secret@db.example:x/voight"
            .parse::<StoreUrl>()
            .unwrap_err()
            .to_string();
        assert!(
            sentence.contains("postgres://USER@HOST/DATABASE") && !sentence.contains("secret"),
            "{sentence}"
        );
    }

    #[cfg(feature = "sled")]
    #[test]
    fn sled_is_in_this_build() {
        let url: StoreUrl = "sled:./voight.sled".parse().unwrap();
        assert_eq!(
            url,
            StoreUrl::Files(EngineKind::Sled, "./voight.sled".into())
        );
        assert_eq!(
            url.persisted_form(Path::new(".")).as_deref(),
            Some("sled:voight.sled")
        );
        assert_eq!(
            url.within(Path::new("/srv")),
            StoreUrl::Files(EngineKind::Sled, "/srv/./voight.sled".into())
        );
        assert!(
            "sled:"
                .parse::<StoreUrl>()
                .unwrap_err()
                .to_string()
                .contains("sled:PATH")
        );
    }

    #[cfg(not(feature = "sled"))]
    #[test]
    fn build_without_sled_names_the_build_to_use() {
        let sentence = "sled:x".parse::<StoreUrl>().unwrap_err().to_string();
        assert!(
            sentence.contains("the Cargo feature `sled`") && sentence.contains("redb:PATH"),
            "{sentence}"
        );
    }

    #[test]
    fn a_store_in_its_data_directory_moves_with_it() {
        let url = StoreUrl::Files(EngineKind::Redb, "./data/voight.redb".into());
        assert_eq!(
            url.persisted_form(Path::new("data")).as_deref(),
            Some("redb:voight.redb")
        );
        let url: StoreUrl = "redb:voight.redb".parse().unwrap();
        assert_eq!(
            url.within(Path::new("/moved")),
            StoreUrl::Files(EngineKind::Redb, "/moved/voight.redb".into())
        );
        let elsewhere = StoreUrl::Files(EngineKind::Redb, "/srv/voight.redb".into());
        assert_eq!(
            elsewhere.persisted_form(Path::new("data")).as_deref(),
            Some("redb:/srv/voight.redb")
        );
    }
}
