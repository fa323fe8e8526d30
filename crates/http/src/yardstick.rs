//! The least that a server like this one does for a request. What a lookup costs is measured against it.

use actix_web::dev::Server;
use actix_web::{App, HttpResponse, HttpServer, web};
use std::io;
use std::net::TcpListener;

/// As many bytes as an answer of the service has, about.
const BODY: [u8; 120] = [b'.'; 120];

/// Answers every `GET /` with the same 120 bytes: a bare route of actix-web, on its own connections, without anything of ours
/// around it. There are as many workers as `serve_public` has by default, one for each core.
pub fn serve_yardstick(listener: TcpListener) -> io::Result<Server> {
    let page = || async { HttpResponse::Ok().body(BODY.as_slice()) };
    Ok(HttpServer::new(move || App::new().route("/", web::get().to(page))).listen(listener)?.run())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    #[actix_web::test]
    async fn the_answer_is_120_bytes_and_nothing_of_ours_is_around_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = serve_yardstick(listener).unwrap();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        handle.stop(false).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200") && !head.contains("request-id"), "{head}");
        assert_eq!(body.len(), 120);
    }
}
