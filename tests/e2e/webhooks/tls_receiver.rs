//! Receiver of webhooks within the test, which counts the deliveries of each event.

use super::certificates::{self, CERTIFICATE, KEY};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const RESPONSE: &[u8] = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
/// Timeout for a part of a request.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);

/// Number of deliveries of each event, by the id of the event.
pub(crate) type DeliveryCounts = BTreeMap<String, usize>;

/// Receiver that answers every request with 204.
pub(crate) struct TlsReceiver {
    folder: TempDir,
    port: u16,
    delivery_counts: Arc<Mutex<DeliveryCounts>>,
}

impl TlsReceiver {
    /// Starts the receiver, which runs until the process ends.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        certificates::write(folder.path());
        let config = Arc::new(server_config(folder.path()));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("a bound listener").port();
        let delivery_counts = Arc::default();
        let counts = Arc::clone(&delivery_counts);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let config = Arc::clone(&config);
                let counts = Arc::clone(&counts);
                // A killed server leaves connections that end within a request.
                thread::spawn(move || receive(stream, config, &counts).ok());
            }
        });
        Self {
            folder,
            port,
            delivery_counts,
        }
    }

    /// Returns the URL of the receiver.
    pub(crate) fn url(&self) -> String {
        format!("https://127.0.0.1:{}/hook", self.port)
    }

    /// Adds the settings by which a server calls this receiver.
    pub(crate) fn configure(&self, command: &mut Command) {
        certificates::configure(command, self.folder.path(), self.port);
    }

    /// Returns the number of deliveries of each event so far.
    pub(crate) fn delivery_counts(&self) -> DeliveryCounts {
        self.delivery_counts.lock().expect("no panic").clone()
    }

    /// Returns the number of deliveries beyond the first one of each event.
    pub(crate) fn repetitions(&self) -> usize {
        let counts = self.delivery_counts();
        counts.values().map(|count| count - 1).sum()
    }

    /// Waits until all of these events are delivered, and returns the time that it took.
    #[expect(clippy::disallowed_methods, reason = "tests report this time")]
    pub(crate) fn wait_for(&self, ids: &BTreeSet<String>, timeout: Duration) -> Duration {
        let begin = Instant::now();
        loop {
            let counts = self.delivery_counts();
            let missing_ids = ids.iter().filter(|id| !counts.contains_key(*id));
            let missing_count = missing_ids.count();
            if missing_count == 0 {
                return begin.elapsed();
            }
            assert!(
                begin.elapsed() < timeout,
                "{missing_count} of {} events are not delivered after {timeout:?}",
                ids.len()
            );
            sleep(PAUSE);
        }
    }
}

fn server_config(folder: &Path) -> ServerConfig {
    let certificate = CertificateDer::from_pem_file(folder.join(CERTIFICATE));
    let key = PrivateKeyDer::from_pem_file(folder.join(KEY));
    ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("protocol versions of the provider")
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.expect("a certificate")],
            key.expect("a key"),
        )
        .expect("a key of the certificate")
}

/// Reads a request, counts its event, and answers it.
fn receive(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    counts: &Mutex<DeliveryCounts>,
) -> io::Result<()> {
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut reader = BufReader::new(StreamOwned::new(connection, stream));
    let id = read_request(&mut reader)?;
    *counts.lock().expect("no panic").entry(id).or_default() += 1;
    let mut stream = reader.into_inner();
    stream.write_all(RESPONSE)?;
    stream.conn.send_close_notify();
    stream.flush()
}

/// Reads a complete request, and returns the id of its event.
fn read_request(reader: &mut impl BufRead) -> io::Result<String> {
    let mut event_id = None;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let header = line.trim_end().split_once(": ");
        match header.map(|(name, value)| (name.to_ascii_lowercase(), value)) {
            Some((name, value)) if name == "webhook-id" => event_id = Some(value.to_owned()),
            Some((name, value)) if name == "content-length" => {
                length = value.parse().map_err(io::Error::other)?;
            }
            _ if line.is_empty() => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    io::copy(&mut reader.take(length), &mut io::sink())?;
    event_id.ok_or_else(|| io::Error::other("a request without webhook-id"))
}
