//! Free ports.

use std::net::TcpListener;

/// A loopback port that was free a moment ago.
pub fn free() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free loopback port");
    listener.local_addr().expect("the address of a bound listener").port()
}
