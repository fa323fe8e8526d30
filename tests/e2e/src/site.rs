//! Small web server of a page.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use url::form_urlencoded;

/// Answers every connection until the process ends. Each has a thread, because browsers open connections without using them.
pub fn serve(listener: TcpListener, answer: impl Fn(TcpStream) + Send + Sync + 'static) {
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || answer(stream));
        }
    });
}

/// Sends a response with further `headers`, each a line with its line end.
///
/// A browser may close the connection before the response.
pub fn respond(mut stream: TcpStream, status: &str, kind: &str, headers: &str, body: &str) {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}; charset=utf-8\r\n{headers}cache-control: no-store\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    let _ = stream.write_all((head + body).as_bytes());
}

/// Reads the head of a request, and returns its target.
pub fn request_target(stream: &TcpStream) -> Option<String> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next()?.ok()?;
    // The rest of the head must be read before the connection is closed, otherwise the response may be lost.
    lines.map_while(Result::ok).find(String::is_empty)?;
    first.split(' ').nth(1).map(ToOwned::to_owned)
}

/// Returns the parameters of a query.
pub fn parameters(query: &str) -> HashMap<String, String> {
    form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}
