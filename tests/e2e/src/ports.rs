//! Free ports.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// First port to choose from.
///
/// The range is below the ports that Linux assigns to outgoing connections (32768 and above), so that none is taken between
/// the
/// choice and the server's start.
const FIRST_PORT: u32 = 15_000;
const COUNT: u32 = 16_000;
/// Distance of the first ports of two processes.
///
/// Tests are separate processes that start one after the other, with consecutive ids.
const PORT_STRIDE: u32 = 32;

static CHOSEN: AtomicU32 = AtomicU32::new(0);

/// Returns an unused loopback port, never the same twice in one process.
pub fn free() -> u16 {
    (0..COUNT)
        .find_map(|_| unused(next()))
        .expect("a free loopback port")
}

fn next() -> u16 {
    let begin = std::process::id().wrapping_mul(PORT_STRIDE);
    let port = FIRST_PORT + begin.wrapping_add(CHOSEN.fetch_add(1, Ordering::Relaxed)) % COUNT;
    u16::try_from(port).expect("a port number")
}

fn unused(port: u16) -> Option<u16> {
    TcpListener::bind(("127.0.0.1", port)).ok().map(|_| port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_port_is_chosen_twice() {
        let ports: std::collections::BTreeSet<u16> = (0..100).map(|_| free()).collect();

        assert_eq!(ports.len(), 100);
    }

    #[test]
    fn port_in_use_is_not_chosen() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();

        assert_eq!(unused(listener.local_addr().unwrap().port()), None);
    }
}
