//! Substitute for an admin listener that knows its token, written from ADR 22, not from the service's code.

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// Reads one request. Answers a handshake and returns `None`; returns the head of any other request.
pub fn request(stream: &mut TcpStream, token: &str) -> Option<String> {
    let mut input = BufReader::new(stream.try_clone().expect("the same connection"));
    let lines = input
        .by_ref()
        .lines()
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty());
    let head = lines.collect::<Vec<_>>().join("\n").to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    input.read_exact(&mut body).expect("a body");
    if !head.starts_with("post /admin/v1/handshake ") {
        return Some(head);
    }
    let handshake: Value = serde_json::from_slice(&body).expect("a handshake");
    let body = json!({"success": true, "data": proof(token, &handshake)}).to_string();
    let length = body.len();
    let answer =
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    stream
        .write_all(answer.as_bytes())
        .expect("the client reads");
    None
}

fn proof(token: &str, handshake: &Value) -> Value {
    let text = |member: &str| handshake[member].as_str().expect("a member").to_owned();
    let client_nonce = HEXLOWER
        .decode(text("client_nonce").as_bytes())
        .expect("digits");
    let nonce = [7; 40];
    let mut mac = Hmac::<Sha256>::new_from_slice(token.as_bytes()).expect("a key of any length");
    for part in [
        b"voight admin listener 1",
        text("listener").as_bytes(),
        &client_nonce,
        &nonce,
    ] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    let proof: [u8; 32] = mac.finalize().into_bytes().into();
    json!({"listener_nonce": HEXLOWER.encode(&nonce), "proof": HEXLOWER.encode(&proof)})
}
