//! Fault proxy between a process and its server.

use super::network_fault::{FaultSchedule, NetworkFault};
use super::upstream::{UpstreamAddr, UpstreamStream};
use super::{Cluster, Postgres};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Delay of every message under [`NetworkFault::Late`].
const LATE: Duration = Duration::from_millis(50);

/// Proxy for a server, on its own port.
pub struct FaultProxy {
    port: u16,
    troubles: Arc<FaultSchedule>,
}

impl FaultProxy {
    /// Creates a proxy for the server that the tests of a run share.
    pub fn to_shared(server: &Postgres) -> Self {
        Self::to(UpstreamAddr::Socket(server.folder().join(".s.PGSQL.5432")))
    }

    /// Creates a proxy for a server of a single test.
    pub fn to_cluster(cluster: &Cluster) -> Self {
        Self::to(UpstreamAddr::Port(cluster.port))
    }

    fn to(server: UpstreamAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let troubles = Arc::new(FaultSchedule::none());
        let accepting = Arc::clone(&troubles);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if let Ok(server) = server.connect() {
                    Connection::between(&client, &server).carry(client, server, &accepting);
                }
            }
        });
        Self { port, troubles }
    }

    /// Returns the port that clients connect to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Injects this fault from now on.
    pub fn inject(&self, trouble: NetworkFault) {
        self.troubles.set(trouble);
    }

    /// Returns the number of injected faults.
    pub fn times(&self) -> u32 {
        self.troubles.times()
    }
}

/// Proxied connection.
struct Connection {
    answers: UpstreamStream,
    to_client: TcpStream,
    /// `true` when the next answer is cut in half.
    halve: Arc<AtomicBool>,
}

impl Connection {
    fn between(client: &TcpStream, server: &UpstreamStream) -> Self {
        let answers = server.another().expect("a socket");
        let to_client = client.try_clone().expect("a socket");
        Self {
            answers,
            to_client,
            halve: Arc::default(),
        }
    }

    /// Forwards both directions, each on its own thread, until either side closes.
    fn carry(self, client: TcpStream, server: UpstreamStream, troubles: &Arc<FaultSchedule>) {
        let halve = Arc::clone(&self.halve);
        let troubles = Arc::clone(troubles);
        thread::spawn(move || self.carry_answers());
        thread::spawn(move || carry_requests(client, server, &halve, &troubles));
    }

    fn carry_answers(mut self) {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(read @ 1..) = self.answers.read(&mut bytes) {
            let is_cut = self.halve.load(Ordering::SeqCst);
            let forwarded_bytes = if is_cut {
                &bytes[..read / 2]
            } else {
                &bytes[..read]
            };
            if self.to_client.write_all(forwarded_bytes).is_err() || is_cut {
                break;
            }
        }
        let _ = self.to_client.shutdown(Shutdown::Both);
    }
}

fn carry_requests(
    mut client: TcpStream,
    mut server: UpstreamStream,
    halve: &AtomicBool,
    troubles: &FaultSchedule,
) {
    let mut bytes = vec![0; 1 << 16];
    // Bytes that are only peeked stay unread in the socket, so that closing it sends a reset.
    while let Ok(seen @ 1..) = client.peek(&mut bytes) {
        let trouble = troubles.fault_for(&bytes[..seen]);
        if trouble == NetworkFault::Reset {
            server.shut(Shutdown::Both);
            return;
        }
        let Ok(read) = client.read(&mut bytes[..seen]) else {
            break;
        };
        let forwarded_bytes = if trouble == NetworkFault::Half {
            &bytes[..read / 2]
        } else {
            &bytes[..read]
        };
        match trouble {
            NetworkFault::Before | NetworkFault::Away => break,
            NetworkFault::HalfOpen => return hold(&mut client),
            NetworkFault::HalfAnswered => halve.store(true, Ordering::SeqCst),
            NetworkFault::Late => thread::sleep(LATE),
            // The client receives nothing more; the server still executes what it has received.
            NetworkFault::After => drop(client.shutdown(Shutdown::Both)),
            NetworkFault::None | NetworkFault::Half | NetworkFault::Reset => {}
        }
        if server.write_all(forwarded_bytes).is_err() || trouble == NetworkFault::Half {
            break;
        }
        if trouble == NetworkFault::After {
            return server.shut(Shutdown::Write);
        }
    }
    let _ = client.shutdown(Shutdown::Both);
    server.shut(Shutdown::Both);
}

/// Reads and discards all data without answering.
fn hold(client: &mut TcpStream) {
    let mut bytes = vec![0; 1 << 12];
    while let Ok(1..) = client.read(&mut bytes) {}
}
