//! Encryption of connections: every `sslmode` with every kind of server.

use crate::common::{open, schema_name, server};
use crate::connect::certificates::Authority;
use crate::connect::relay::Relay;
use rcgen::KeyPair;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use voight_postgres::OpenError;
use voight_tests::postgres::Cluster;

/// Name in the server's certificate. No resolver knows it, so the URL also contains the address.
const NAME: &str = "db.voight.test";

/// Server with TLS, and the authority that issued its certificate.
struct Fixture {
    cluster: Cluster,
    authority: Authority,
    key: KeyPair,
    folder: TempDir,
}

impl Fixture {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("cluster");
        fs::create_dir(&place).expect("a folder");
        let cluster = Cluster::start(&place).expect("a private server");
        let authority = Authority::new("Authority of the test");
        let key = KeyPair::generate().expect("a key");
        let fixture = Self {
            cluster,
            authority,
            key,
            folder,
        };
        fixture
            .cluster
            .write_file("server.key", &fixture.key.serialize_pem())
            .expect("a file");
        fixture.encrypts_with(&fixture.authority.issue(NAME, &fixture.key));
        fixture
    }

    /// Configures the server to use this certificate.
    fn encrypts_with(&self, certificate: &str) {
        self.cluster
            .write_file("server.crt", certificate)
            .expect("a file");
        self.cluster
            .run("ALTER SYSTEM SET ssl = on")
            .expect("a setting");
        self.cluster.reload().expect("a reload");
    }

    fn encrypts_nothing(&self) {
        self.cluster
            .run("ALTER SYSTEM SET ssl = off")
            .expect("a setting");
        self.cluster.reload().expect("a reload");
    }

    /// Writes certificates for `sslrootcert` to a file.
    fn roots(&self, name: &str, pem: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, pem).expect("a file");
        path
    }

    fn password(&self) -> String {
        let url = self.cluster.url();
        url.split([':', '@']).nth(2).expect("a password").to_owned()
    }

    /// Returns the URL of the server under this name.
    fn url(&self, name: &str, parameters: &str) -> String {
        let url = self.cluster.url().replace("127.0.0.1", name);
        format!("{url}?hostaddr=127.0.0.1{parameters}")
    }

    /// Opens a store; returns `encrypted`, `clear` or the error.
    fn attempt(&self, url: &str) -> String {
        let store = match open(url) {
            Ok(store) => store,
            Err(error) => {
                let text = error.to_string();
                assert!(!text.contains(&self.password()), "{text}");
                return text;
            }
        };
        let connections = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'voight'";
        let ssl_states = self.cluster.run(connections).expect("SQL");
        drop(store);
        self.wait_for_no_connection();
        match ssl_states.as_str() {
            "t" => "encrypted".to_owned(),
            "f" => "clear".to_owned(),
            ssl_state => panic!("both or none: {ssl_state:?}"),
        }
    }

    fn wait_for_no_connection(&self) {
        for _ in 0..500 {
            let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'voight'";
            if self.cluster.run(count).expect("SQL") == "0" {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("connections of a closed store");
    }
}

/// Parameters of a URL, with the expected outcome for five servers.
///
/// The servers have a valid certificate, one for another name, one of another authority, an expired one, and no TLS.
type Row<'a> = (&'a str, [&'a str; 5]);

const ALL: &str = "encrypted";
const NO_TLS: &str = "has no TLS";
const OTHER_NAME: &str = "is not for the name";
const UNKNOWN: &str = "is not issued by an authority that is trusted";
const EXPIRED: &str = "has expired";

#[test]
fn every_mode_is_enforced_at_every_server() {
    let fixture = Fixture::start();
    let known_roots = fixture.roots("known.pem", &fixture.authority.pem);
    let unknown_roots = fixture.roots("unknown.pem", &Authority::new("Another authority").pem);
    let rows: [Row<'_>; 4] = [
        ("&sslmode=disable", ["clear"; 5]),
        ("&sslmode=require", [ALL, ALL, ALL, ALL, NO_TLS]),
        (
            "&sslmode=verify-full&sslrootcert=ROOTS",
            [ALL, OTHER_NAME, UNKNOWN, EXPIRED, NO_TLS],
        ),
        (
            "&sslrootcert=ROOTS",
            [ALL, OTHER_NAME, UNKNOWN, EXPIRED, NO_TLS],
        ),
    ];
    let try_all = |column: usize, name: &str, roots: &Path| {
        for (parameters, expected) in &rows {
            let parameters = parameters.replace("ROOTS", &roots.display().to_string());
            let outcome = fixture.attempt(&fixture.url(name, &parameters));
            assert!(
                outcome.contains(expected[column]),
                "{name}{parameters}: {outcome}, not {}",
                expected[column]
            );
        }
    };
    try_all(0, NAME, &known_roots);
    try_all(1, "other.voight.test", &known_roots);
    try_all(2, NAME, &unknown_roots);
    fixture.encrypts_with(&fixture.authority.issue_until(NAME, &fixture.key, 2020));
    try_all(3, NAME, &known_roots);
    fixture.encrypts_nothing();
    try_all(4, NAME, &known_roots);
}

#[test]
fn remote_host_is_verified_by_default() {
    let fixture = Fixture::start();
    let elsewhere = fixture.attempt(&fixture.url(NAME, ""));
    assert!(
        elsewhere.contains(UNKNOWN) && elsewhere.contains("sslrootcert=FILE"),
        "{elsewhere}"
    );
    assert_eq!(
        fixture.attempt(&fixture.cluster.url()),
        "clear",
        "no data of a loopback connection leaves the machine"
    );
    fixture.encrypts_nothing();
    let elsewhere = fixture.attempt(&fixture.url(NAME, ""));
    assert!(elsewhere.contains(NO_TLS), "{elsewhere}");
}

/// Environment variable with the URL that a child process of the test opens a store at.
const CHILD: &str = "VOIGHT_TEST_CHILD_URL";

/// The trust store is read once per process, so the test runs itself as a child with another one.
#[test]
fn system_authorities_are_trusted() {
    if let Ok(url) = std::env::var(CHILD) {
        open(&url).expect("a store");
        return;
    }
    let fixture = Fixture::start();
    let roots = fixture.roots("system.pem", &fixture.authority.pem);
    let attempt = |name: &str, parameters: &str| {
        let mut child = Command::new(std::env::current_exe().expect("the test's own program"));
        child.args([
            "--exact",
            "connect::encryption::system_authorities_are_trusted",
        ]);
        child
            .env("SSL_CERT_FILE", &roots)
            .env_remove("SSL_CERT_DIR")
            .env(CHILD, fixture.url(name, parameters));
        let output = child.output().expect("a child");
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr),
        )
    };
    for parameters in ["", "&sslmode=verify-full", "&sslrootcert=system"] {
        let (is_open, text) = attempt(NAME, parameters);
        assert!(is_open && text.contains("1 passed"), "{parameters}: {text}");
    }
    let (is_open, text) = attempt("other.voight.test", "");
    assert!(!is_open && text.contains(OTHER_NAME), "{text}");
}

/// A server that requests the password itself is what an impostor does, too.
#[test]
fn channel_binding_protects_the_password() {
    let fixture = Fixture::start();
    for method in ["password", "trust"] {
        let login = format!("hostssl all all 127.0.0.1/32 {method}\n");
        fixture
            .cluster
            .write_file("pg_hba.conf", &login)
            .expect("a file");
        fixture.cluster.reload().expect("a reload");
        let unbound = fixture.attempt(&fixture.url(NAME, "&sslmode=require"));
        assert_eq!(unbound, ALL, "{method}");
        let binding_required = "&sslmode=require&channel_binding=require";
        let bound = fixture.attempt(&fixture.url(NAME, binding_required));
        assert!(bound.contains("channel binding"), "{method}: {bound}");
    }
}

#[test]
fn invalid_roots_file_is_reported() {
    let fixture = Fixture::start();
    let missing =
        fixture.attempt(&fixture.url(NAME, "&sslmode=verify-full&sslrootcert=/no/such.pem"));
    assert!(missing.contains("/no/such.pem"), "{missing}");
    let empty = fixture.roots("empty.pem", "not a certificate\n");
    let message = fixture.attempt(&fixture.url(
        NAME,
        &format!("&sslmode=verify-full&sslrootcert={}", empty.display()),
    ));
    assert!(
        message.contains("empty.pem") && message.contains("no certificate"),
        "{message}"
    );
    let roots_path = fixture
        .roots("with space.pem", &fixture.authority.pem)
        .display()
        .to_string()
        .replace(' ', "%20");
    assert_eq!(
        fixture.attempt(&fixture.url(
            NAME,
            &format!("&sslmode=verify-full&sslrootcert={roots_path}")
        )),
        "encrypted"
    );
}

#[test]
fn channel_binding_detects_a_relay() {
    let fixture = Fixture::start();
    let binding_required = "&sslmode=require&channel_binding=require";
    assert_eq!(
        fixture.attempt(&fixture.url(NAME, binding_required)),
        "encrypted"
    );
    let clear = fixture.attempt(&fixture.url(NAME, "&sslmode=disable&channel_binding=require"));
    assert!(clear.contains("channel binding"), "{clear}");

    let key = KeyPair::generate().expect("a key");
    let certificate = Authority::new("Relay").issue(NAME, &key);
    let relay = Relay::start(
        &fixture.cluster,
        &certificate,
        &key,
        &fixture.authority.pem,
        NAME,
    );
    let through = |parameters: &str| {
        let url = fixture
            .url(NAME, parameters)
            .replace(&fixture.cluster.address()[10..], &relay.port.to_string());
        open(&url).err()
    };
    for parameters in ["&sslmode=require", binding_required] {
        let error = through(parameters).expect("a relay is noticed");
        assert!(matches!(error, OpenError::Intercepted { .. }), "{error}");
        assert!(!error.to_string().contains(&fixture.password()), "{error}");
    }
    let relay_error = through("&sslmode=require&channel_binding=disable");
    assert_eq!(
        relay_error, None,
        "nothing but channel binding notices the relay"
    );
}

#[test]
fn socket_is_never_encrypted() {
    let url = server().schema(&schema_name()).expect("a schema");
    assert!(open(&format!("{url}&sslmode=require")).is_ok());
}
