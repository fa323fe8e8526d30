//! Baselines of lookups: a bare route of actix-web that answers 120 bytes, or with `--echo BYTES` a server without a framework
//! whose responses have this number of bytes.
//!
//! A separate process with the allocator and the build profile of the service.

mod echo;

use actix_web::dev::Server;
use actix_web::{App, HttpResponse, HttpServer, web};
use mimalloc::MiMalloc;
use serde_json::json;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Response body, about as long as that of a lookup.
const BODY: [u8; 120] = [b'.'; 120];

/// Serves on a free loopback port. First prints a line of JSON with the address and `true` for a release build.
#[actix_web::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let ready = json!({ "listening": listener.local_addr()?, "release": !cfg!(debug_assertions) });
    if let Some(bytes) = echo_bytes() {
        writeln!(io::stdout(), "{ready}")?;
        return echo::serve(&listener, bytes);
    }
    let server = serve(listener)?;
    writeln!(io::stdout(), "{ready}")?;
    server.await
}

/// Returns the number that follows `--echo`.
fn echo_bytes() -> Option<usize> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--echo");
    arguments.nth(1)?.parse().ok()
}

/// Answers `GET /` without middleware. It has as many workers as the service has by default, one per core.
fn serve(listener: TcpListener) -> io::Result<Server> {
    let page = || async { HttpResponse::Ok().body(BODY.as_slice()) };
    Ok(
        HttpServer::new(move || App::new().route("/", web::get().to(page)))
            .listen(listener)?
            .run(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    #[actix_web::test]
    async fn response_has_120_bytes() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = serve(listener).unwrap();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            .await
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        handle.stop(false).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(
            head.starts_with("HTTP/1.1 200") && !head.contains("request-id"),
            "{head}"
        );
        assert_eq!(body.len(), 120);
    }
}
