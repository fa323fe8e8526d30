//! Hostile targets with the resolver and the sockets of the operating system, in a network in which every address is a sink.
//!
//! The test runs itself once more in a network namespace of its own, where all addresses belong to the loopback interface: a
//! connection to any of them reaches a sink that counts it. Names are resolved by a name server in the namespace.

use crate::client::{SHORT, options, send};
use crate::dns::start_name_server;
use crate::hostile_targets::{HOSTILE_NAMES, HOSTILE_URLS, HostileName, REBINDING_NAME};
use rustls::RootCertStore;
use std::env;
use std::net::{TcpListener, UdpSocket};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use voight_domain::outbound::OutboundPolicy;
use voight_domain::ports::OutboundError;
use voight_outbound::{OutboundClient, OutboundOptions};
use voight_support::tier::is_full;

const NAME: &str = "hostile_targets_reach_no_socket";
/// Variable that is set inside of the namespace.
const INSIDE: &str = "VOIGHT_OUTBOUND_NAMESPACE";
/// Makes every address local, and 127.0.0.1 the name server.
const SET_UP: &str = "
    set -e
    ip link set lo up
    ip route add local 0.0.0.0/0 dev lo
    ip -6 route add local ::/0 dev lo
    file=$(mktemp)
    printf 'nameserver 127.0.0.1\\noptions timeout:1 attempts:1\\n' > $file
    mount --bind $file /etc/resolv.conf
    rm $file
    exec \"$0\" --exact namespace::hostile_targets_reach_no_socket --nocapture
";
/// Name of an address of the internet.
const PUBLIC_NAME: HostileName = ("public.test", &[&["8.8.8.8"]]);

/// Sink of connections to all addresses, which records the address that each was made to.
#[derive(Default)]
struct Sink(Arc<Mutex<Vec<String>>>);

impl Sink {
    fn listen(&self, address: &str) {
        let listener = TcpListener::bind((address, 443)).unwrap();
        let addresses = Arc::clone(&self.0);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let address = stream.unwrap().local_addr().unwrap().ip();
                addresses
                    .lock()
                    .unwrap()
                    .push(address.to_canonical().to_string());
            }
        });
    }

    fn addresses(&self) -> Vec<String> {
        // A connection that the client has seen established is in the queue of the listener.
        thread::sleep(Duration::from_millis(200));
        self.0.lock().unwrap().clone()
    }
}

#[tokio::test]
async fn hostile_targets_reach_no_socket() {
    if env::var_os(INSIDE).is_some() {
        return assert_sink_gets_no_connection().await;
    }
    if !is_full() {
        println!("SKIPPED {NAME}: runs in the full tier");
        return;
    }
    let program = env::current_exe().unwrap();
    let namespace = Command::new("unshare")
        .args(["--net", "--mount", "sh", "-c", SET_UP])
        .arg(program)
        .env(INSIDE, "1")
        .output()
        .expect("unshare of util-linux");
    let output = String::from_utf8_lossy(&namespace.stdout);
    let errors = String::from_utf8_lossy(&namespace.stderr);
    if errors.contains("Operation not permitted") {
        println!("SKIPPED {NAME}: in the full tier it needs root, for a network namespace");
        return;
    }
    assert!(namespace.status.success(), "{output}\n{errors}");
    assert!(
        output.contains("hostile targets, 0 connections"),
        "{output}"
    );
    println!("{output}");
}

async fn assert_sink_gets_no_connection() {
    let sink = Sink::default();
    sink.listen("::");
    let socket = UdpSocket::bind("127.0.0.1:53").unwrap();
    let names = HOSTILE_NAMES
        .into_iter()
        .chain([REBINDING_NAME, PUBLIC_NAME]);
    start_name_server(socket, names.collect());
    let options = OutboundOptions {
        timeout: 10 * SHORT,
        ..options(OutboundPolicy::default(), RootCertStore::empty())
    };
    let client = OutboundClient::new(options).unwrap();

    let mut targets = 0;
    let urls = HOSTILE_NAMES.map(|(name, _)| format!("https://{name}/"));
    for url in HOSTILE_URLS
        .into_iter()
        .chain(urls.iter().map(String::as_str))
    {
        let error = send(&client, url).await.unwrap_err();
        assert!(
            matches!(error, OutboundError::Target(_)),
            "{url}: {error:?}"
        );
        targets += 1;
    }
    let connections = sink.addresses();
    println!(
        "{targets} hostile targets, {} connections",
        connections.len()
    );
    assert_eq!(connections, Vec::<String>::new());

    // The sink would have counted them: it counts connections to addresses of the internet.
    for url in [
        "https://1.1.1.1/",
        "https://[2606:4700::1]/",
        "https://public.test/",
    ] {
        let error = send(&client, url).await.unwrap_err();
        assert!(matches!(error, OutboundError::Tls(_)), "{url}: {error:?}");
    }
    assert_eq!(sink.addresses(), ["1.1.1.1", "2606:4700::1", "8.8.8.8"]);

    // A name that is rebound after its first answer.
    let (name, _) = REBINDING_NAME;
    let url = format!("https://{name}/");
    let error = send(&client, &url).await.unwrap_err();
    assert!(matches!(error, OutboundError::Tls(_)), "{error:?}");
    for _ in 0..3 {
        let error = send(&client, &url).await.unwrap_err();
        assert!(matches!(error, OutboundError::Target(_)), "{error:?}");
    }
    assert_eq!(
        sink.addresses(),
        ["1.1.1.1", "2606:4700::1", "8.8.8.8", "1.1.1.1"]
    );
}
