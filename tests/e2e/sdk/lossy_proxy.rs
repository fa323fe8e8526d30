//! Proxy in front of the service that loses the first answer. It runs until the end of the process.

use std::io::{self, Read as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

/// Starts a proxy of the service at `url`, and returns its base URL.
pub(crate) fn start(url: &str) -> String {
    let service = url.trim_start_matches("http://").to_owned();
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        let streams = listener.incoming().map_while(Result::ok);
        for (number, client) in streams.enumerate() {
            let service = TcpStream::connect(&service).expect("the service listens");
            thread::spawn(move || forward(&client, &service, number == 0));
        }
    });
    format!("http://{address}")
}

/// Forwards a connection until its end, or until the service has begun to answer.
fn forward(client: &TcpStream, service: &TcpStream, is_lost: bool) {
    let mut from_client = clone(client);
    let mut to_service = clone(service);
    thread::spawn(move || io::copy(&mut from_client, &mut to_service));
    let mut from_service = clone(service);
    let mut to_client = clone(client);
    let _ = if is_lost {
        from_service.read(&mut [0]).map(|_| 0)
    } else {
        io::copy(&mut from_service, &mut to_client)
    };
    for stream in [client, service] {
        let _ = stream.shutdown(Shutdown::Both);
    }
}

fn clone(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a handle of the connection")
}
