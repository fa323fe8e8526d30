//! Server without a framework: one thread, one epoll, a read and a write for each request.

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};

/// Size of the receive buffer, enough for any request.
const BUFFER_BYTES: usize = 16 * 1024;
/// Number of events of one wait.
const EVENTS: usize = 256;
/// Identifies the listener among the events; connections have their index.
const LISTENER: u64 = u64::MAX;

/// Answers every request that ends in what was read with a response of `bytes` bytes, until an error of the listener.
pub(super) fn serve(listener: &TcpListener, bytes: usize) -> io::Result<()> {
    let response = response(bytes);
    let epoll = epoll::create(CreateFlags::CLOEXEC)?;
    listener.set_nonblocking(true)?;
    epoll::add(
        &epoll,
        listener,
        EventData::new_u64(LISTENER),
        EventFlags::IN,
    )?;
    let mut connections = Vec::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut events = Vec::with_capacity(EVENTS);
    loop {
        events.clear();
        epoll::wait(
            &epoll,
            rustix::buffer::spare_capacity(&mut events),
            None::<&Timespec>,
        )?;
        for event in &events {
            if event.data.u64() == LISTENER {
                let (stream, _) = listener.accept()?;
                stream.set_nodelay(true)?;
                stream.set_nonblocking(true)?;
                epoll::add(
                    &epoll,
                    &stream,
                    EventData::new_u64(connections.len() as u64),
                    EventFlags::IN,
                )?;
                connections.push(Some(stream));
            } else if let Some(connection) = usize::try_from(event.data.u64())
                .ok()
                .and_then(|at| connections.get_mut(at))
                && let Some(stream) = connection
                && !answer(stream, &mut buffer, &response).unwrap_or(false)
            {
                // Closing a connection removes it from the epoll.
                *connection = None;
            }
        }
    }
}

/// Answers a request; returns `false` at the end of the connection.
fn answer(stream: &mut TcpStream, buffer: &mut [u8], response: &[u8]) -> io::Result<bool> {
    match stream.read(buffer) {
        Ok(0) => Ok(false),
        Ok(length) if buffer[..length].ends_with(b"\r\n\r\n") => {
            stream.write_all(response).map(|()| true)
        }
        Ok(_) => Ok(true),
        Err(error) => Ok(matches!(
            error.kind(),
            ErrorKind::WouldBlock | ErrorKind::Interrupted
        )),
    }
}

/// Returns a response of this length in bytes.
fn response(bytes: usize) -> Vec<u8> {
    let head = |body: usize| format!("HTTP/1.1 200 OK\r\ncontent-length: {body:>6}\r\n\r\n");
    let body = bytes.saturating_sub(head(0).len());
    [head(body).into_bytes(), vec![b'.'; body]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn every_request_gets_the_number_of_bytes() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || serve(&listener, 300));
        for _ in 0..2 {
            let mut stream = TcpStream::connect(address).unwrap();
            for _ in 0..2 {
                stream
                    .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
                    .unwrap();
                let mut answer = [0; 300];
                stream.read_exact(&mut answer).unwrap();
                assert!(
                    answer.starts_with(b"HTTP/1.1 200 OK\r\ncontent-length:    257\r\n\r\n."),
                    "{}",
                    answer.escape_ascii()
                );
            }
        }
    }
}
