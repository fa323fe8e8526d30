//! One outbound door: only `voight-outbound` and the listed exceptions can open a connection to another program.

use super::{metadata, ours, reaches, rust_files};
use cargo_metadata::DependencyKind;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Dependencies that open connections, or that serve to write a client.
const CLIENT_LIBRARIES: [&str; 24] = [
    "attohttpc",
    "awc",
    "curl",
    "hickory-resolver",
    "hyper",
    "hyper-rustls",
    "hyper-util",
    "isahc",
    "lettre",
    "minreq",
    "native-tls",
    "openssl",
    "postgres",
    "redis",
    "reqwest",
    "rustls",
    "surf",
    "tokio-postgres",
    "tokio-postgres-rustls",
    "tokio-rustls",
    "tokio-tungstenite",
    "tonic",
    "tungstenite",
    "ureq",
];

/// Texts of source files that open a connection, resolve a name, or use a library that does.
const CLIENT_CODE: [&str; 13] = [
    "TcpStream::connect",
    "UnixStream::connect",
    "UnixDatagram",
    "UdpSocket",
    "TcpSocket",
    "Socket::new(",
    "ToSocketAddrs",
    "to_socket_addrs",
    "lookup_host",
    "hyper::",
    "hyper_util::",
    "tokio_postgres::",
    "ureq::",
];

/// Crates that may depend on client libraries, with the reason.
const PERMITTED_CRATES: [(&str, &[&str], &str); 3] = [
    (
        "voight-outbound",
        &["hyper", "hyper-util", "rustls", "tokio-rustls"],
        "the outbound door",
    ),
    (
        "voight-postgres",
        &["rustls", "tokio-postgres", "tokio-postgres-rustls"],
        "connects to the database that the operator configures",
    ),
    (
        "voight",
        &["ureq"],
        "the command line calls a server of Voight that the operator names",
    ),
];

/// Files and folders of the service that may open connections, with the reason.
const PERMITTED_FILES: [(&str, &str); 9] = [
    ("crates/outbound/src", "the outbound door"),
    (
        "crates/postgres/src",
        "connects to the database that the operator configures",
    ),
    (
        "crates/app/src/admin_client.rs",
        "the command line calls the admin API",
    ),
    (
        "crates/app/src/admin_client/socket.rs",
        "the command line calls the admin API by its Unix socket",
    ),
    (
        "crates/app/src/data_dir/admin_socket.rs",
        "the command line finds a running server by its Unix socket",
    ),
    (
        "crates/app/src/cli/doctor/listeners.rs",
        "the command line tests the listeners of its server",
    ),
    (
        "crates/app/src/cli/snapshot/public_client.rs",
        "the command line calls the public API with a key of a client",
    ),
    (
        "crates/app/src/demo/platform.rs",
        "the platform of the demo calls the demo's own service",
    ),
    (
        "crates/app/src/testing.rs",
        "unit tests call a service that they have started",
    ),
];

/// Members of the workspace that the program consists of.
pub(super) fn crates_of_the_program() -> BTreeSet<String> {
    let metadata = metadata();
    let packages = ours(&metadata);
    let mut names = reaches(&metadata, &packages["voight"].id);
    names.retain(|name| packages.contains_key(name));
    names.insert("voight".to_owned());
    names
}

#[test]
fn only_listed_crates_depend_on_clients() {
    let metadata = metadata();
    let packages = ours(&metadata);
    let program = crates_of_the_program();
    assert!(program.contains("voight-outbound") && program.contains("voight-http"));
    for name in &program {
        let used_libraries: BTreeSet<_> = packages[name]
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == DependencyKind::Normal)
            .map(|dependency| dependency.name.as_str())
            .filter(|dependency| CLIENT_LIBRARIES.contains(dependency))
            .collect();
        let permission = PERMITTED_CRATES.iter().find(|(known, ..)| known == name);
        let permitted_libraries = permission.map_or(&[][..], |(_, libraries, _)| *libraries);
        assert_eq!(
            used_libraries,
            permitted_libraries.iter().copied().collect(),
            "{name}: outbound connections belong into voight-outbound"
        );
    }
}

#[test]
fn only_listed_files_open_connections() {
    let metadata = metadata();
    let packages = ours(&metadata);
    let mut unused_permissions: BTreeSet<_> =
        PERMITTED_FILES.iter().map(|(path, _)| path).collect();
    let mut file_count = 0;
    for name in crates_of_the_program() {
        let manifest = packages[&name].manifest_path.as_std_path();
        let files = rust_files(&manifest.with_file_name("src"));
        for file in &files {
            let path = file
                .strip_prefix(&metadata.workspace_root)
                .expect("a path in the workspace");
            if is_test_file(path) {
                continue;
            }
            file_count += 1;
            let Some(code) = client_code(&fs::read_to_string(file).expect("a source file")) else {
                continue;
            };
            let permission = PERMITTED_FILES
                .iter()
                .find(|(permitted_path, _)| path.starts_with(permitted_path));
            let Some((permitted_path, _)) = permission else {
                panic!("{} has {code}: use the port Outbound", path.display());
            };
            unused_permissions.remove(permitted_path);
        }
    }
    assert!(file_count > 500, "only {file_count} files were read");
    assert!(
        unused_permissions.is_empty(),
        "{unused_permissions:?} open no connections"
    );
}

#[test]
fn client_code_outside_of_tests_is_reported() {
    assert_eq!(
        client_code("let a = TcpStream::connect(b);"),
        Some("TcpStream::connect")
    );
    assert_eq!(client_code("use hyper::Request;"), Some("hyper::"));
    assert_eq!(client_code("let a = TcpListener::bind(b);"), None);
    let in_a_test = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    use ureq::Agent;\n}\n";
    assert_eq!(client_code(in_a_test), None);
}

/// Returns the first text of a source file that opens a connection; its unit tests are ignored.
fn client_code(source: &str) -> Option<&'static str> {
    let code = source
        .split_once("#[cfg(test)]\nmod tests {")
        .map_or(source, |(code, _)| code);
    CLIENT_CODE.into_iter().find(|text| code.contains(text))
}

/// Returns `true` for a file of unit tests.
fn is_test_file(path: &Path) -> bool {
    let names = path.iter().filter_map(|name| name.to_str());
    names
        .map(|name| name.strip_suffix(".rs").unwrap_or(name))
        .any(|stem| stem == "tests" || stem.ends_with("_tests"))
}
