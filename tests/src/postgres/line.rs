//! A line between a process and its server that can be disturbed.

use super::far::{UpstreamAddr, UpstreamStream};
use super::trouble::{FaultSchedule, NetworkFault};
use super::{Cluster, Postgres};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How much later everything is when it is [late](Trouble::Late).
const LATE: Duration = Duration::from_millis(50);

/// A line to a server, at a port of its own.
pub struct FaultProxy {
    port: u16,
    troubles: Arc<FaultSchedule>,
}

impl FaultProxy {
    /// A line to the server that the tests of a run share.
    pub fn to_shared(server: &Postgres) -> Self {
        Self::to(UpstreamAddr::Socket(server.folder().join(".s.PGSQL.5432")))
    }

    /// A line to a server of a test's own.
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

    /// Where it is to be connected to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Lets this happen from now on.
    pub fn inject(&self, trouble: NetworkFault) {
        self.troubles.set(trouble);
    }

    /// How often something has happened.
    pub fn times(&self) -> u32 {
        self.troubles.times()
    }
}

/// One connection over it.
struct Connection {
    answers: UpstreamStream,
    to_client: TcpStream,
    /// Whether the next answer is cut in half.
    halve: Arc<AtomicBool>,
}

impl Connection {
    fn between(client: &TcpStream, server: &UpstreamStream) -> Self {
        let (answers, to_client) = (server.another().expect("a socket"), client.try_clone().expect("a socket"));
        Self { answers, to_client, halve: Arc::default() }
    }

    /// Carries both ways, on threads of their own, until either side ends.
    fn carry(self, client: TcpStream, server: UpstreamStream, troubles: &Arc<FaultSchedule>) {
        let (halve, troubles) = (Arc::clone(&self.halve), Arc::clone(troubles));
        thread::spawn(move || self.carry_answers());
        thread::spawn(move || carry_requests(client, server, &halve, &troubles));
    }

    fn carry_answers(mut self) {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(read @ 1..) = self.answers.read(&mut bytes) {
            let is_cut = self.halve.load(Ordering::SeqCst);
            let sent = if is_cut { &bytes[..read / 2] } else { &bytes[..read] };
            if self.to_client.write_all(sent).is_err() || is_cut {
                break;
            }
        }
        let _ = self.to_client.shutdown(Shutdown::Both);
    }
}

fn carry_requests(mut client: TcpStream, mut server: UpstreamStream, halve: &AtomicBool, troubles: &FaultSchedule) {
    let mut bytes = vec![0; 1 << 16];
    // What is only looked at is still there when the line is reset; that is what makes it one.
    while let Ok(seen @ 1..) = client.peek(&mut bytes) {
        let trouble = troubles.fault_for(&bytes[..seen]);
        if trouble == NetworkFault::Reset {
            server.shut(Shutdown::Both);
            return;
        }
        let Ok(read) = client.read(&mut bytes[..seen]) else { break };
        let sent = if trouble == NetworkFault::Half { &bytes[..read / 2] } else { &bytes[..read] };
        match trouble {
            NetworkFault::Before | NetworkFault::Away => break,
            NetworkFault::HalfOpen => return hold(&mut client),
            NetworkFault::HalfAnswered => halve.store(true, Ordering::SeqCst),
            NetworkFault::Late => thread::sleep(LATE),
            // The client hears nothing more of a line that is shut; the server goes on with what it has.
            NetworkFault::After => drop(client.shutdown(Shutdown::Both)),
            NetworkFault::None | NetworkFault::Half | NetworkFault::Reset => {}
        }
        if server.write_all(sent).is_err() || trouble == NetworkFault::Half {
            break;
        }
        if trouble == NetworkFault::After {
            return server.shut(Shutdown::Write);
        }
    }
    let _ = client.shutdown(Shutdown::Both);
    server.shut(Shutdown::Both);
}

/// Takes what comes, and lets nobody know.
fn hold(client: &mut TcpStream) {
    let mut bytes = vec![0; 1 << 12];
    while let Ok(1..) = client.read(&mut bytes) {}
}
