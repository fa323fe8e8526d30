//! Set-up commands of the guide, executed on three servers; only hosts, ports and passwords are replaced.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::guide::GuideService;
use voight_tests::postgres::{CitusServers, Cluster};
use voight_tests::test_name;
use voight_tests::{command, guide, http, ports};

const GUIDE: &str = include_str!("../../../docs/guides/cluster-with-postgresql.md");
/// Password of the role that owns the database. The superusers have another one.
const PASSWORD: &str = "password-of-the-owner";
/// Hosts of the guide: the coordinator, then the workers.
const HOSTS: [&str; 3] = ["db0.example", "db1.example", "db2.example"];
const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const LOOKS: u32 = 600;

/// Servers in place of the hosts of the guide.
struct Hosts(Vec<Cluster>);

impl Hosts {
    fn start(servers: &CitusServers) -> Self {
        let library = guide::block(GUIDE, "citus-library");
        Self(
            HOSTS
                .iter()
                .map(|host| servers.start(host, library).expect("a server"))
                .collect(),
        )
    }

    /// Returns a block of the guide with the addresses of the servers and the password.
    fn block(&self, name: &str) -> String {
        let block = guide::block(GUIDE, name).replace('…', PASSWORD);
        HOSTS
            .iter()
            .zip(&self.0)
            .fold(block, |block, (host, server)| {
                let address = server.address();
                let (ip, port) = address.split_once(':').expect("an address");
                block
                    .replace(&format!("'{host}', 5432"), &format!("'{ip}', {port}"))
                    .replace(host, &address)
            })
    }

    /// Runs a block of SQL as the superuser.
    fn run_sql(&self, server: &Cluster, database: &str, name: &str) {
        let url = server.url();
        let url = format!(
            "{}{database}",
            url.strip_suffix("postgres").expect("the default database")
        );
        let psql = "psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname";
        run(
            guide::shell(&format!(
                "{psql} '{url}' <<'SQL'\n{}\nSQL",
                self.block(name)
            )),
            name,
        );
    }

    /// Starts the service with the guide's command, which replaces the shell.
    fn serve(&self, folder: &Path, public: u16, admin: u16) -> GuideService {
        let script = self.block("citus-serve");
        let mut shell = Self::shell(folder, &script.replacen("voight", "exec voight", 1));
        for (name, port) in [("LISTEN", public), ("ADMIN_LISTEN", admin)] {
            shell.env(
                format!("VOIGHT__SERVER__{name}"),
                format!("127.0.0.1:{port}"),
            );
        }
        shell.stdout(Stdio::null()).stderr(Stdio::null());
        GuideService::start(shell)
    }

    /// Returns a shell for a block of the guide, with the password of the role.
    fn shell(folder: &Path, script: &str) -> Command {
        let mut shell = guide::shell(script);
        shell
            .current_dir(folder)
            .env("PGPASSWORD", PASSWORD)
            .stdin(Stdio::null());
        shell
    }
}

/// Runs a shell to its end; returns its output.
fn run(mut shell: Command, name: &str) -> String {
    let output = shell.output().expect("bash starts");
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_guide_sets_up_a_cluster_that_answers_lookups() {
    let Some(servers) = CitusServers::find_or_skip(test_name!()) else {
        return;
    };
    let hosts = Hosts::start(&servers);
    let folder = TempDir::new().expect("a folder");
    for server in &hosts.0 {
        hosts.run_sql(server, "postgres", "role");
        hosts.run_sql(server, "voight", "citus-extension");
    }
    hosts.run_sql(&hosts.0[0], "voight", "citus-nodes");
    run(
        Hosts::shell(folder.path(), &hosts.block("spread")),
        "spread",
    );

    let public = ports::free();
    let admin = ports::free();
    let _service = hosts.serve(folder.path(), public, admin);
    let agent = http::agent();
    let ready = || http::get(&agent, &format!("http://127.0.0.1:{admin}/readyz"), &[]).ok();
    let answer = (0..LOOKS).find_map(|_| {
        thread::sleep(Duration::from_millis(50));
        ready().filter(|answer| answer.status == 200)
    });
    assert_eq!(
        answer.expect("the service is ready").json()["degraded"],
        false
    );

    run(
        Hosts::shell(folder.path(), &hosts.block("client")),
        "client",
    );
    let data = folder.path().join("voight-data");
    let key = command::json(&data, &["key", "create", "--client", "acme"]);
    let member = |document: &serde_json::Value, name: &str| {
        document[name].as_str().expect("a text").to_owned()
    };
    let context = command::json(
        &data,
        &[
            "context",
            "create",
            "--key",
            &member(&key, "key_id"),
            "spring",
        ],
    );
    let context = member(&context, "context_id");
    let url = format!(
        "http://127.0.0.1:{public}/api/v1/users/eoa?eoa_address={ADDRESS}&context_id={context}"
    );
    let answer =
        http::get(&agent, &url, &[("x-api-key", &member(&key, "key"))]).expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.body);
}
