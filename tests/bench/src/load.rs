//! Load over real sockets.

mod client;
mod closed_loop;
mod latency;
mod measured;
mod open_loop;
mod wire;

pub(crate) use client::{LoadClient, PreparedRequests, RawResponse, RepeatedRequest};
pub(crate) use closed_loop::run_closed_loop;
pub(crate) use measured::{LoadMeasurement, TargetServer};
pub(crate) use open_loop::{Rate, run_open_loop};

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::thread;
    use std::time::Duration;

    const REQUEST: &str = "GET / HTTP/1.1\r\n\r\n";
    const STALL: Duration = Duration::from_millis(300);

    /// Starts a server that runs `serve` for each connection.
    fn server(serve: impl Fn(TcpStream) + Send + Copy + 'static) -> TargetServer {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            listener
                .incoming()
                .for_each(|stream| serve(stream.unwrap()));
        });
        TargetServer::alone(port, std::process::id())
    }

    /// Answers immediately, except for the first request.
    fn stalls(mut stream: TcpStream) {
        let mut request = [0; REQUEST.len()];
        for number in 0.. {
            if stream.read_exact(&mut request).is_err() {
                return;
            }
            thread::sleep(if number == 0 { STALL } else { Duration::ZERO });
            stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
                .unwrap();
        }
    }

    #[test]
    fn open_loop_charges_stalls_to_due_requests() {
        let target = server(stalls);
        let time = STALL * 2;
        let target = || target.clone();
        let late_responses =
            |load: LoadMeasurement<RepeatedRequest>| load.latency.beyond(STALL / 3);
        // In a closed loop no other request is sent while one is pending.
        assert_eq!(
            late_responses(
                run_closed_loop(target(), RepeatedRequest::new(1, REQUEST), time).unwrap()
            ),
            1
        );
        // At 100 requests per second, 20 are due in the first two thirds of the stall.
        let late_count = late_responses(
            run_open_loop(target(), RepeatedRequest::new(1, REQUEST), Rate(100), time).unwrap(),
        );
        assert!(
            (15..60).contains(&late_count),
            "{late_count} of 60 responses were late"
        );
    }

    #[test]
    fn a_closed_connection_ends_both_loops() {
        let target = server(drop);
        let second = Duration::from_secs(1);
        assert!(run_closed_loop(target.clone(), RepeatedRequest::new(3, REQUEST), second).is_err());
        assert!(
            run_open_loop(target, RepeatedRequest::new(3, REQUEST), Rate(100), second).is_err()
        );
    }

    #[test]
    fn the_error_names_a_port_without_a_server() {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let target = TargetServer::alone(port, std::process::id());
        let error = run_closed_loop(target, RepeatedRequest::new(1, REQUEST), STALL)
            .unwrap_err()
            .to_string();
        assert!(error.contains(&port.to_string()), "{error}");
    }
}
