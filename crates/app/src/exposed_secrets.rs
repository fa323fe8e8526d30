//! Secrets that other users of this machine can read, with their remedies.

use crate::config::{Loaded, STORE_URL, Source};
use crate::data_dir::{DataDir, is_open_to_others};
use std::path::Path;

/// Returns a warning for each secret of the data directory and of the configuration that other users can read.
pub(crate) fn exposed_secrets(loaded_config: &Loaded, data_dir: &DataDir) -> Vec<String> {
    let files = data_dir
        .readable_by_others()
        .into_iter()
        .map(|path| exposed_file(&path, "is open to other users"));
    files.chain(exposed_password(loaded_config)).collect()
}

/// Returns the warning for a database password that other users can read where it is set.
pub(crate) fn exposed_password(loaded_config: &Loaded) -> Option<String> {
    if !has_password(&loaded_config.config.store.url) {
        return None;
    }
    match &loaded_config.entries.iter().find(|entry| entry.key == STORE_URL)?.source {
        Source::File(path) if is_open_to_others(path) => {
            Some(exposed_file(path, "has the password of the database and is open to other users"))
        }
        Source::Flags => Some(
            "the password in --store is visible in the list of processes: remove it there, and set PGPASSWORD"
                .to_owned(),
        ),
        _ => None,
    }
}

fn exposed_file(path: &Path, what: &str) -> String {
    let path = path.display();
    format!("{path} {what}: run `chmod go= {path}` as its owner")
}

/// Returns `true` if the URL of a database contains a password, before the host or as a parameter.
fn has_password(url: &str) -> bool {
    let Some((_, address)) = url.split_once("://") else {
        return false;
    };
    let (authority, parameters) = address.split_once('?').unwrap_or((address, ""));
    let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
    user.split_once(':')
        .is_some_and(|(_, password)| !password.is_empty())
        || parameters
            .split('&')
            .any(|parameter| parameter.starts_with("password="))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ConfigSources, Flag, load};
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    const URL: &str = "postgres://voight:secret@db/voight";

    #[test]
    fn password_in_an_open_file_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("voight.toml");
        let warning = |url: &str, mode: u32| {
            fs::write(&path, format!("[store]\nurl = \"{url}\"\n")).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            exposed_password(
                &load(ConfigSources {
                    file: Some(path.clone()),
                    ..ConfigSources::default()
                })
                .unwrap(),
            )
        };
        for mode in [0o644, 0o640, 0o604] {
            let warning = warning(URL, mode).unwrap();
            assert!(
                warning.contains(&format!("chmod go= {}", path.display())),
                "{warning}"
            );
            assert!(!warning.contains("secret"), "{warning}");
        }
        assert_eq!(warning(URL, 0o600), None);
        assert_eq!(warning("postgres://voight@db/voight", 0o644), None);
        let flags = vec![Flag {
            key: STORE_URL,
            value: URL.to_owned(),
        }];
        let loaded_config = load(ConfigSources {
            flags,
            ..ConfigSources::default()
        })
        .unwrap();
        assert!(
            exposed_password(&loaded_config)
                .unwrap()
                .contains("PGPASSWORD")
        );
    }

    #[test]
    fn password_of_a_url_is_found_in_both_places() {
        for url in [
            URL,
            "postgres://db/voight?user=voight&password=x",
            "postgres://u:p@h1,h2:5432/d",
        ] {
            assert!(has_password(url), "{url}");
        }
        for url in [
            "",
            "memory:",
            "redb:a:b@c",
            "postgres://voight@db:5432/voight",
            "postgres://voight:@db/voight",
        ] {
            assert!(!has_password(url), "{url}");
        }
    }

    #[test]
    fn open_pepper_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let mut data_dir = DataDir::inspect(&data).unwrap();
        data_dir.create().unwrap();
        data_dir.pepper().unwrap();
        let loaded_config = load(ConfigSources::default()).unwrap();
        assert_eq!(
            exposed_secrets(&loaded_config, &data_dir),
            Vec::<String>::new()
        );
        fs::set_permissions(data.join("pepper"), Permissions::from_mode(0o644)).unwrap();
        let warnings = exposed_secrets(&loaded_config, &data_dir);
        assert!(
            warnings.len() == 1
                && warnings[0].contains("pepper is open to other users: run `chmod go= "),
            "{warnings:?}"
        );
    }
}
