//! Container image, run by Podman as user 65532 with a read-only root and 64 MiB of memory.

use super::Release;
use crate::browser::robot::{self, Display};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;
use voight_tests::command::must_succeed;
use voight_tests::test_name;
use voight_tests::{http, paths, ports};

const MEMORY: &str = "64m";
const PAUSE: Duration = Duration::from_millis(100);
const POLL_ATTEMPTS: u32 = 300;
/// Settings of Podman: a runtime that supports every version of control groups, and limits that a container may set.
const PODMAN: &str = "\
[engine]
runtime = \"runc\"
cgroup_manager = \"cgroupfs\"
events_logger = \"file\"
[containers]
default_ulimits = [\"nofile=1024:4096\", \"nproc=4096:4096\"]
";

/// Podman with the image of a release; its containers are removed when it is dropped.
struct Podman {
    folder: tempfile::TempDir,
    image: String,
    container: String,
}

impl Podman {
    /// Loads the image of a release, under the name that the archive contains.
    fn load(release: &Release) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("containers.conf"), PODMAN).expect("the settings");
        let mut podman = Self {
            folder,
            image: String::new(),
            container: format!("voight-test-{}", std::process::id()),
        };
        let output = must_succeed(
            podman
                .command(&["load", "--input"])
                .arg(release.file("-oci-amd64.tar")),
        );
        output
            .trim()
            .rsplit(' ')
            .next()
            .expect("the name of the image")
            .clone_into(&mut podman.image);
        podman
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("podman");
        command
            .env(
                "CONTAINERS_CONF",
                self.folder.path().join("containers.conf"),
            )
            .args(arguments);
        command
    }

    /// Returns the command that starts a container with `options`, and the program with `arguments`.
    fn run(&self, options: &[&str], arguments: &[&str]) -> Command {
        let mut podman_run = self.command(&[
            "run",
            "--read-only",
            "--network=host",
            "--cap-drop=all",
            "--memory",
            MEMORY,
        ]);
        podman_run.args([
            "--security-opt=no-new-privileges",
            "--tmpfs=/tmp",
            "--name",
            &self.container,
        ]);
        podman_run.args(options).arg(&self.image).args(arguments);
        podman_run
    }

    /// Runs the program to its end, and returns its output.
    fn run_to_end(&self, options: &[&str], arguments: &[&str]) -> Output {
        self.run(&[&["--rm"], options].concat(), arguments)
            .output()
            .expect("podman starts")
    }

    fn exec(&self, arguments: &[&str]) -> String {
        must_succeed(
            self.command(&["exec", &self.container, "/usr/bin/voight"])
                .args(arguments),
        )
    }

    /// Returns the first JSON document on the standard output of the container.
    fn document(&self) -> Value {
        for _ in 0..POLL_ATTEMPTS {
            let output = self
                .command(&["logs", &self.container])
                .output()
                .expect("podman starts");
            if let Ok(document) = serde_json::from_slice(&output.stdout) {
                return document;
            }
            sleep(PAUSE);
        }
        panic!("the container prints no document");
    }
}

impl Drop for Podman {
    fn drop(&mut self) {
        let _ = self
            .command(&["rm", "--force", "--time=1", &self.container])
            .output();
        let _ = self.command(&["rmi", "--force", &self.image]).output();
    }
}

#[test]
fn demo_passes_in_the_image() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let podman = Podman::load(&release);
    assert_eq!(
        podman.image,
        format!("localhost/voight:{}", env!("CARGO_PKG_VERSION"))
    );
    let port = ports::free().to_string();
    let page = ports::free().to_string();
    must_succeed(&mut podman.run(
        &["--detach"],
        &["--json", "demo", "--port", &port, "--page-port", &page],
    ));
    let welcome = podman.document();
    let message = robot::run(welcome["page"].as_str().expect("a page"), Display::Headless);
    assert_eq!(message, "We could not complete this claim.");
    let curl = welcome["curl"].as_str().expect("a command");
    let answer = must_succeed(Command::new("bash").args(["-c", curl]));
    assert!(
        answer.starts_with(r#"{"success":true,"data":{"isBot":true"#),
        "{answer}"
    );
    let status = std::fs::read_to_string(format!(
        "/proc/{}/status",
        must_succeed(&mut podman.command(&[
            "inspect",
            "--format",
            "{{.State.Pid}}",
            &podman.container
        ]))
        .trim()
    ));
    let status = status.expect("the process runs");
    assert!(
        status
            .lines()
            .any(|line| line.starts_with("Uid:\t65532\t65532")),
        "{status}"
    );
    assert!(
        status
            .lines()
            .any(|line| line == "CapEff:\t0000000000000000"),
        "{status}"
    );
    println!(
        "{}",
        status
            .lines()
            .filter(|line| line.starts_with("VmHWM"))
            .collect::<String>()
    );
}

#[test]
fn image_keeps_its_data_in_the_volume() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let podman = Podman::load(&release);
    let volume = podman.folder.path().join("volume");
    std::fs::create_dir(&volume).expect("a directory");
    let listen = |key: &str| format!("--env=VOIGHT__SERVER__{key}=127.0.0.1:{}", ports::free());
    let options = [listen("LISTEN"), listen("ADMIN_LISTEN"), mount(&volume)];
    let options: Vec<_> = options.iter().map(String::as_str).collect();

    let output = podman.run_to_end(&options, &["serve"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(
        error.contains("/var/lib/voight") && error.contains("the owner is user 0"),
        "{error}"
    );
    assert_eq!(std::fs::read_dir(&volume).expect("the volume").count(), 0);

    std::os::unix::fs::chown(&volume, Some(65_532), Some(65_532)).expect("root changes the owner");
    for attempt in 0..2 {
        must_succeed(&mut podman.run(
            &[&["--detach", "--rm"], options.as_slice()].concat(),
            &["serve"],
        ));
        podman.exec(&["health", "--wait", "30"]);
        if attempt == 0 {
            podman.exec(&["client", "create", "acme"]);
        }
        assert!(podman.exec(&["client", "list"]).contains("acme"));
        must_succeed(&mut podman.command(&["stop", "--time=20", &podman.container]));
    }

    let read_only = format!("{},ro", mount(&volume));
    let output = podman.run_to_end(&[options[0], options[1], &read_only], &["serve"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && error.to_lowercase().contains("read-only"),
        "{error}"
    );
}

fn mount(volume: &Path) -> String {
    format!(
        "--mount=type=bind,src={},dst=/var/lib/voight",
        volume.display()
    )
}

#[test]
fn compose_file_starts_a_healthy_service() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let podman = Podman::load(&release);
    let port = ports::free();
    let file = podman.folder.path().join("compose.yaml");
    let sample = std::fs::read_to_string(paths::repository().join("examples/deploy/compose.yaml"))
        .expect("the sample");
    std::fs::write(
        &file,
        sample.replace("127.0.0.1:8080:8080", &format!("127.0.0.1:{port}:8080")),
    )
    .expect("a file");
    let compose = |arguments: &[&str]| {
        let mut compose = Command::new(paths::tools().join("python/bin/podman-compose"));
        compose.env(
            "CONTAINERS_CONF",
            podman.folder.path().join("containers.conf"),
        );
        compose.current_dir(podman.folder.path()).args(arguments);
        must_succeed(&mut compose)
    };
    compose(&["up", "--detach"]);
    let result = std::panic::catch_unwind(|| {
        compose(&[
            "exec",
            "-T",
            "voight",
            "/usr/bin/voight",
            "health",
            "--wait",
            "30",
        ]);
        compose(&[
            "exec",
            "-T",
            "voight",
            "/usr/bin/voight",
            "client",
            "create",
            "acme",
        ]);
        let url = format!("http://127.0.0.1:{port}/livez");
        assert_eq!(
            http::get(&http::agent(), &url, &[])
                .expect("the service answers")
                .status,
            200
        );
    });
    compose(&["down", "--volumes"]);
    assert!(result.is_ok(), "see the panic above");
}

#[test]
fn compose_file_for_postgresql_is_read() {
    let Some(_) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let mut compose = Command::new(paths::tools().join("python/bin/podman-compose"));
    compose
        .env("VOIGHT_PEPPER", "00")
        .env("PGPASSWORD", "secret")
        .current_dir(paths::repository().join("examples/deploy"));
    let configuration = must_succeed(compose.args(["--file", "compose.postgres.yaml", "config"]));
    for part in [
        "postgres://voight@database/voight",
        "10.89.11.0/24",
        "service_healthy",
    ] {
        assert!(configuration.contains(part), "{part}: {configuration}");
    }
}
