use super::*;
use crate::wiring::EngineKind;
use std::fs;
use std::path::Path;

fn config(dir: &Path, url: &str) -> Config {
    let mut config = Config::default();
    config.store.data_dir = dir.to_str().unwrap().to_owned();
    config.store.url = url.to_owned();
    config
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn an_installation_is_created_once_and_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    assert!(Installation::open(&config(&data, "")).unwrap().is_new);
    let installation = Installation::open(&config(&data, "")).unwrap();
    assert!(!installation.is_new);
    assert_eq!(
        installation.store,
        StoreUrl::Files(EngineKind::Redb, data.join("voight.redb"))
    );
}

#[test]
fn restored_store_is_no_new_installation() {
    let dir = tempfile::tempdir().unwrap();
    let first = dir.path().join("first");
    let restored_dir = dir.path().join("restored");
    drop(Installation::open(&config(&first, "")).unwrap());
    fs::create_dir(&restored_dir).unwrap();
    for name in ["pepper", "voight.json", "voight.redb", "voight.redb.id"] {
        fs::copy(first.join(name), restored_dir.join(name)).unwrap();
    }
    let installation = Installation::open(&config(&restored_dir, "")).unwrap();
    assert!(restored_dir.join("admin.token").exists() && !installation.is_new);
}

#[test]
fn store_url_is_saved_for_later_commands() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let elsewhere = dir.path().join("elsewhere.redb");
    drop(Installation::open(&config(&data, &format!("redb:{}", elsewhere.display()))).unwrap());
    assert_eq!(
        Installation::open(&config(&data, "")).unwrap().store,
        StoreUrl::Files(EngineKind::Redb, elsewhere)
    );
}

#[test]
fn a_directory_with_its_store_can_be_moved() {
    let dir = tempfile::tempdir().unwrap();
    let old = dir.path().join("old");
    let new = dir.path().join("new");
    drop(Installation::open(&config(&old, "")).unwrap());
    fs::rename(&old, &new).unwrap();
    assert!(!Installation::open(&config(&new, "")).unwrap().is_new);
}

#[test]
fn a_first_run_that_is_rejected_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let in_a_file = format!("redb:{}/x", std::env::current_exe().unwrap().display());
    for url in ["postgres://x/y", in_a_file.as_str()] {
        assert!(Installation::open(&config(&data, url)).is_err(), "{url}");
        assert!(names(dir.path()).is_empty(), "{url}");
    }
}

#[test]
fn missing_store_of_an_installation_is_not_recreated() {
    let dir = tempfile::tempdir().unwrap();
    drop(Installation::open(&config(dir.path(), "")).unwrap());
    fs::remove_file(dir.path().join("voight.redb")).unwrap();
    let names_before = names(dir.path());
    let Err(rejected) = Installation::open(&config(dir.path(), "")) else {
        panic!("an empty store was accepted")
    };
    assert_eq!(rejected.exit, Exit::Configuration);
    assert_eq!(names(dir.path()), names_before);
}

#[test]
fn locked_store_and_wrong_pepper_are_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let installation = Installation::open(&config(dir.path(), "")).unwrap();
    let exit =
        |opened: Result<Installation, CommandError>| opened.err().map(|failure| failure.exit);
    assert_eq!(
        exit(Installation::open(&config(dir.path(), ""))),
        Some(Exit::Unreachable)
    );
    drop(installation);
    fs::write(dir.path().join("pepper"), "ab".repeat(32)).unwrap();
    assert_eq!(
        exit(Installation::open(&config(dir.path(), ""))),
        Some(Exit::Configuration)
    );
}
