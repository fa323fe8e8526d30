//! Server that gives scripted responses and records the requests. It runs until the end of the process.

use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use url::Url;

/// Time for which a connection hangs: longer than every timeout of the vectors.
const HANG: Duration = Duration::from_secs(30);

/// Running server.
pub(crate) struct Scripted {
    url: String,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Scripted {
    /// Starts a server whose responses are used in their order, the last one repeatedly.
    pub(crate) fn start(respond: impl FnOnce(&str) -> Vec<Value>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let responses = respond(&url);
        let requests = Arc::new(Mutex::new(Vec::new()));
        let recorded_requests = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let responses = responses.clone();
                let recorded_requests = Arc::clone(&recorded_requests);
                thread::spawn(move || serve(stream, &responses, &recorded_requests));
            }
        });
        Self { url, requests }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the requests so far: method, path, query, headers, and the body as `text` and, if it is JSON, `json`.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn serve(mut stream: TcpStream, responses: &[Value], recorded: &Mutex<Vec<Value>>) {
    let Some(request) = read(&mut stream) else {
        return;
    };
    let at = {
        let mut recorded_requests = recorded.lock().unwrap_or_else(PoisonError::into_inner);
        recorded_requests.push(request);
        recorded_requests.len() - 1
    };
    let Some(response) = responses.get(at).or(responses.last()) else {
        return;
    };
    if response["drop"] == true {
        return;
    }
    let body = match &response["text"] {
        Value::String(text) => text.clone(),
        _ => response["json"].to_string(),
    };
    let is_hanging = response["hang"] == true;
    if !is_hanging || response["status"].is_u64() {
        let mut lines = vec![
            format!("HTTP/1.1 {} Scripted", response["status"]),
            "connection: close".to_owned(),
        ];
        for (name, value) in response["headers"].as_object().into_iter().flatten() {
            lines.push(format!("{name}: {}", value.as_str().unwrap_or_default()));
        }
        // A response without content has no length either.
        if response["status"] != 204 {
            lines.push(format!(
                "content-length: {}",
                body.len() + usize::from(is_hanging)
            ));
        }
        let text = format!("{}\r\n\r\n{body}", lines.join("\r\n"));
        // The client may have ended the connection.
        let _ = stream.write_all(text.as_bytes());
    }
    if is_hanging {
        thread::sleep(HANG);
    }
}

/// Reads a request; `None` for a connection without one.
fn read(stream: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        if let Some(request) = parse(&bytes) {
            return Some(request);
        }
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&buffer[..count]);
    }
}

/// Parses a request; `None` if it is not complete.
fn parse(bytes: &[u8]) -> Option<Value> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(start) = request.parse(bytes).expect("a request") else {
        return None;
    };
    let method = request.method?.to_owned();
    let target = request.path?.to_owned();
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let headers: Map<String, Value> = request
        .headers
        .iter()
        .map(|header| (header.name.to_lowercase(), text(header.value).into()))
        .collect();
    let length: usize = headers
        .get("content-length")
        .and_then(|value| value.as_str()?.parse().ok())
        .unwrap_or(0);
    let body = bytes.get(start..start + length)?;
    let url = Url::parse(&format!("http://service{target}")).expect("a target");
    let query: Map<String, Value> = url
        .query_pairs()
        .map(|(name, value)| (name.into_owned(), value.into_owned().into()))
        .collect();
    let json = serde_json::from_slice::<Value>(body).unwrap_or_default();
    Some(json!({
        "method": method, "target": target, "path": url.path(), "query": query, "headers": headers, "text": text(body), "json": json,
    }))
}
