//! Directories, disks and ports that a start cannot use.

use crate::cli::rejection::{assert_rejected, tree};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;
use voight_tests::disk::Disk;
use voight_tests::skip::skipped;
use voight_tests::test_name;
use voight_tests::{command, ports, process};

#[test]
fn foreign_directory_is_rejected_as_data_directory() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("thesis.txt"), "42").unwrap();
    let tree_before = tree(folder.path());
    assert_rejected(
        &serve(folder.path(), ports::free(), ports::free()),
        3,
        &["thesis.txt", "--data-dir"],
    );
    assert_rejected(
        &command::run(folder.path(), &["client", "create", "acme"]),
        3,
        &["thesis.txt", "--data-dir"],
    );
    assert_eq!(tree(folder.path()), tree_before);
}

#[test]
fn file_as_data_directory_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data");
    std::fs::write(&file, "42").unwrap();
    assert_rejected(
        &command::run(&file, &["usage"]),
        3,
        &["it is a file", "--data-dir"],
    );
    assert_eq!(std::fs::read(&file).unwrap(), b"42");
}

#[test]
fn a_port_in_use_is_named_with_the_flag_that_chooses_another() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    assert_rejected(
        &serve(&data_dir, port, ports::free()),
        1,
        &[&port.to_string(), "in use", "--listen"],
    );
    assert_rejected(
        &serve(&data_dir, ports::free(), port),
        1,
        &[&port.to_string(), "in use", "--admin-listen"],
    );
    assert_rejected(
        &serve(&data_dir, port, port),
        3,
        &["share", &port.to_string()],
    );
    assert!(!data_dir.exists());
}

#[test]
fn folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    // Root may write everywhere except on a read-only disk.
    let _disk = if process::is_root() {
        let Some(disk) = disk(test_name!(), folder.path()) else {
            return;
        };
        disk.make_read_only();
        Some(disk)
    } else {
        let read_only_dir = folder.path().join("disk");
        std::fs::create_dir(&read_only_dir).unwrap();
        std::fs::set_permissions(&read_only_dir, std::fs::Permissions::from_mode(0o555)).unwrap();
        None
    };
    let data_dir = folder.path().join("disk/data");
    for output in [
        serve(&data_dir, ports::free(), ports::free()),
        command::run(&data_dir, &["store", "init"]),
    ] {
        assert_rejected(&output, 3, &["cannot be written", "--data-dir"]);
    }
    assert!(!data_dir.exists());
}

#[test]
fn full_disk_at_the_first_start_leaves_no_files() {
    let name = test_name!();
    // No space; enough for the secrets but not for a store; and enough for a part of the store.
    for kibibytes in [0, 16, 64] {
        let folder = tempfile::tempdir().unwrap();
        let Some(disk) = disk(name, folder.path()) else {
            return;
        };
        disk.fill(kibibytes);
        let names_before = names(disk.path());
        let data_dir = disk.path().join("data");
        let output = serve(&data_dir, ports::free(), ports::free());
        let code = output.status.code().unwrap_or_default();
        // A directory without any space is a configuration error, a store that does not fit is a failure.
        assert!(
            [1, 3].contains(&code),
            "{kibibytes} KiB: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_rejected(&output, code, &["space"]);
        assert_eq!(
            names(disk.path()),
            names_before,
            "{kibibytes} KiB: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

fn disk(name: &str, folder: &Path) -> Option<Disk> {
    Disk::mount(folder, 8)
        .map_err(|error| skipped(name, &format!("a disk cannot be mounted here: {error}")))
        .ok()
}

/// Runs a server that is expected to end at its start.
fn serve(data_dir: &Path, public: u16, admin: u16) -> Output {
    let listen = |port: u16| format!("127.0.0.1:{port}");
    let mut command = command::voight(data_dir);
    command.args([
        "serve",
        "--listen",
        &listen(public),
        "--admin-listen",
        &listen(admin),
    ]);
    let mut server = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    for _ in 0..100 {
        if server.try_wait().expect("the state of a child").is_some() {
            return server.wait_with_output().expect("the output");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    server.kill().expect("a child may be killed");
    let output = server.wait_with_output().expect("the output");
    panic!(
        "the server started all the same: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn names(folder: &Path) -> Vec<std::path::PathBuf> {
    tree(folder).into_keys().collect()
}
