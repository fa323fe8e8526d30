use super::*;
use std::os::unix::fs::PermissionsExt;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn a_first_run_creates_private_files_that_later_runs_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b");
    let (pepper, token) = {
        let mut first = DataDir::inspect(&path).unwrap();
        first.create().unwrap();
        let secrets = (first.pepper().unwrap(), first.admin_token().unwrap());
        assert!(first.commit(Some("redb:x")).unwrap());
        secrets
    };
    assert_eq!(
        (
            mode(&path),
            mode(&path.join(PEPPER)),
            mode(&path.join(TOKEN))
        ),
        (0o700, 0o600, 0o600)
    );
    let mut second = DataDir::inspect(&path).unwrap();
    assert_eq!(second.pepper().unwrap().commitment(), pepper.commitment());
    assert!(
        second
            .admin_token()
            .unwrap()
            .matches(token.expose().as_bytes())
    );
    assert_eq!(second.store_url().unwrap().as_deref(), Some("redb:x"));
    assert!(!second.commit(Some("redb:x")).unwrap());
    assert!(second.readable_by_others().is_empty());
}

#[test]
fn a_first_run_that_fails_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut failing = DataDir::inspect(dir.path().join("a/b")).unwrap();
    failing.create().unwrap();
    failing.pepper().unwrap();
    failing.admin_token().unwrap();
    drop(failing);
    assert!(names(dir.path()).is_empty());
}

#[test]
fn of_two_first_runs_the_second_waits_for_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("data");
    let mut first = DataDir::inspect(&path).unwrap();
    let mut second = DataDir::inspect(&path).unwrap();
    first.create().unwrap();
    let pepper = first.pepper().unwrap();
    let waiting = std::thread::spawn(move || {
        second.create().unwrap();
        second.pepper().unwrap().commitment()
    });
    first.commit(None).unwrap();
    assert_eq!(waiting.join().unwrap(), pepper.commitment());
}

#[test]
fn directory_with_foreign_files_is_rejected_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("thesis.tex"), "x").unwrap();
    let error = DataDir::inspect(dir.path()).unwrap_err();
    assert!(
        error.message.contains("thesis.tex") && error.message.contains("--data-dir"),
        "{error}"
    );
    assert_eq!(names(dir.path()), ["thesis.tex"]);
}

#[test]
fn a_fresh_mount_and_a_directory_with_only_secrets_are_accepted() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("lost+found")).unwrap();
    assert!(DataDir::inspect(dir.path()).is_ok());
    fs::write(dir.path().join(PEPPER), "ab".repeat(32)).unwrap();
    assert!(DataDir::inspect(dir.path()).is_ok());
}

#[test]
fn a_file_in_the_place_of_the_directory_is_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, "").unwrap();
    assert!(
        DataDir::inspect(&path)
            .unwrap_err()
            .message
            .contains("it is a file")
    );
}

#[test]
fn a_damaged_secret_is_rejected_and_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    for name in [PEPPER, TOKEN] {
        fs::write(dir.path().join(name), "short").unwrap();
    }
    let mut data_dir = DataDir::inspect(dir.path()).unwrap();
    assert!(
        data_dir
            .pepper()
            .unwrap_err()
            .message
            .contains("64 hexadecimal digits")
    );
    assert!(
        data_dir
            .admin_token()
            .unwrap_err()
            .message
            .contains("at least 16")
    );
    drop(data_dir);
    assert_eq!(names(dir.path()), [TOKEN, PEPPER]);
}

#[test]
fn a_secret_that_others_may_read_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(PEPPER);
    fs::write(&path, "ab".repeat(32)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(
        DataDir::inspect(dir.path())
            .unwrap()
            .readable_by_others()
            .contains(&path)
    );
}
