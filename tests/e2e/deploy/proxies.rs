//! Reverse proxies of the deployment guide: real ones, with its configuration. Only ports and certificates are replaced.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use voight_tests::server::Server;
use voight_tests::{command, guide, ports};

const GUIDE: &str = include_str!("../../../docs/guides/deploy-behind-a-reverse-proxy.md");
const HOST: &str = "voight.example";
/// Address of the visitor, to which the key is restricted.
const VISITOR: &str = "127.0.0.2";

/// Number of addresses in an upload of more than 1 MiB, which is the default limit of nginx.
const UPLOADED_ADDRESSES: usize = 25_000;

/// Service and proxy of the guide.
struct Scene {
    folder: tempfile::TempDir,
    _server: Server,
    proxy: Child,
    port: u16,
    key: String,
}

impl Scene {
    /// Starts the service with the guide's file, and the proxy that `command` returns for a directory.
    fn new(proxy: impl FnOnce(&Path, &str, u16) -> Command) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let service = ports::free();
        let port = ports::free();
        let config = folder.path().join("voight.toml");
        let text = guide::block(GUIDE, "config")
            .replace("127.0.0.1:8080", &format!("127.0.0.1:{service}"));
        std::fs::write(&config, text).expect("the file is written");
        let data_dir = folder.path().join("data");
        let server = Server::start_on(&data_dir, service, ports::free(), |command| {
            command.arg("--config").arg(&config);
        });
        command::json(&data_dir, &["client", "create", "acme"]);
        let network = format!("{VISITOR}/32");
        let new_key = command::json(
            &data_dir,
            &["key", "create", "--client", "acme", "--network", &network],
        );
        let key = new_key["key"].as_str().expect("a key").to_owned();
        let mut proxy = proxy(folder.path(), &format!("127.0.0.1:{service}"), port);
        let proxy = proxy
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the proxy starts");
        Self {
            folder,
            _server: server,
            proxy,
            port,
            key,
        }
    }

    /// Sends a request with the key from `source` through the proxy; returns the body and then the status.
    fn request(&self, source: &str, path: &str, arguments: &[&str]) -> String {
        let mut curl = Command::new("curl");
        curl.args([
            "--silent",
            "--insecure",
            "--noproxy",
            "*",
            "--interface",
            source,
        ]);
        curl.args([
            "--retry",
            "40",
            "--retry-delay",
            "1",
            "--retry-connrefused",
            "--retry-max-time",
            "20",
        ]);
        curl.args([
            "--resolve",
            &format!("{HOST}:{}:127.0.0.1", self.port),
            "--write-out",
            "%{http_code}",
        ]);
        curl.args(["--header", &format!("x-api-key: {}", self.key)])
            .args(arguments);
        curl.arg(format!("https://{HOST}:{}{path}", self.port));
        String::from_utf8_lossy(&curl.output().expect("curl starts").stdout).into_owned()
    }

    /// Registers a context from `source`; `forged_header` is the header that a visitor sends.
    fn register(&self, source: &str, forged_header: Option<&str>) -> String {
        let body = ["--json", r#"{"context_title":"spring"}"#];
        let header = forged_header.map(|address| format!("X-Forwarded-For: {address}"));
        let header = header.iter().flat_map(|header| ["--header", header]);
        self.request(
            source,
            "/api/v1/register/context_id",
            &body.into_iter().chain(header).collect::<Vec<_>>(),
        )
    }

    /// Asserts that a reward list of more than 1 MiB reaches the service.
    fn assert_large_upload_is_accepted(&self) {
        let data = |answer: &str| {
            let body = answer
                .strip_suffix("200")
                .unwrap_or_else(|| panic!("{answer}"));
            serde_json::from_str::<serde_json::Value>(body).expect("JSON")["data"].clone()
        };
        let context = data(&self.register(VISITOR, None))["context_id"]
            .as_str()
            .expect("an id")
            .to_owned();
        let body = serde_json::json!({ "context_id": context, "source": "upload" }).to_string();
        let snapshot = data(&self.request(VISITOR, "/api/v1/snapshots", &["--json", &body]));
        let path = format!(
            "/api/v1/snapshots/{}/addresses",
            snapshot["id"].as_str().expect("an id")
        );
        let file = self.folder.path().join("addresses.csv");
        let lines: Vec<_> = (0..UPLOADED_ADDRESSES)
            .map(|number| format!("0x{number:040x}"))
            .collect();
        std::fs::write(&file, format!("address\n{}", lines.join("\n")))
            .expect("the file is written");
        let upload = [
            "--header",
            "content-type: text/csv",
            "--upload-file",
            file.to_str().expect("a path"),
        ];
        let answer = self.request(VISITOR, &path, &upload);
        assert!(answer.ends_with("200"), "{answer}");
    }

    /// Asserts that the service sees the address of the visitor, and not one that a visitor claims.
    fn assert_visitor_is_known(&self) {
        let answer = self.register(VISITOR, None);
        assert!(
            answer.ends_with("200") && answer.contains("spring."),
            "{answer}"
        );
        let answer = self.register("127.0.0.3", None);
        assert!(
            answer.ends_with("401") || answer.ends_with("403"),
            "{answer}"
        );
        let answer = self.register("127.0.0.3", Some(VISITOR));
        assert!(
            answer.ends_with("401") || answer.ends_with("403"),
            "{answer}"
        );
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.proxy.kill();
        let _ = self.proxy.wait();
    }
}

/// Creates a certificate for the host of the guide.
fn certificate(folder: &Path) {
    let mut openssl = Command::new("openssl");
    openssl.args([
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        &format!("/CN={HOST}"),
    ]);
    openssl
        .arg("-keyout")
        .arg(folder.join("voight.key"))
        .arg("-out")
        .arg(folder.join("voight.pem"));
    assert!(openssl.output().expect("openssl starts").status.success());
}

#[test]
fn nginx_passes_visitor_address_and_large_upload() {
    let scene = Scene::new(|folder, service, port| {
        certificate(folder);
        let server = guide::block(GUIDE, "nginx")
            .replace("listen 443", &format!("listen 127.0.0.1:{port}"))
            .replace("127.0.0.1:8080", service)
            .replace("/etc/ssl/", &format!("{}/", folder.display()));
        let folder = folder.display();
        // One worker without a change of user, and no files outside of the folder.
        let text = format!(
            "daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;\n\
             events {{}}\nhttp {{\naccess_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n\
             fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n{server}\n}}\n"
        );
        let file = format!("{folder}/nginx.conf");
        std::fs::write(&file, text).expect("the file is written");
        let mut nginx = Command::new("nginx");
        nginx.args(["-c", &file, "-e", &format!("{folder}/error.log")]);
        nginx
    });
    scene.assert_visitor_is_known();
    scene.assert_large_upload_is_accepted();
}

#[test]
fn caddy_passes_visitor_address_and_large_upload() {
    let scene = Scene::new(|folder, service, port| {
        let site = guide::block(GUIDE, "caddy")
            .replace(HOST, &format!("https://{HOST}:{port}"))
            .replace("127.0.0.1:8080", service)
            // A certificate of Caddy's own authority, because no public one can be reached.
            .replacen('{', "{\n  tls internal", 1);
        let options = "{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n";
        let file = folder.join("Caddyfile");
        std::fs::write(&file, format!("{options}{site}\n")).expect("the file is written");
        let mut caddy = Command::new("caddy");
        caddy
            .env("XDG_DATA_HOME", folder)
            .env("XDG_CONFIG_HOME", folder)
            .env("HOME", folder);
        caddy
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(file);
        caddy
    });
    // The first request waits until the certificate exists.
    sleep(Duration::from_secs(1));
    scene.assert_visitor_is_known();
    scene.assert_large_upload_is_accepted();
}
