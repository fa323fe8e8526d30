//! Name server that answers from a script.

use crate::hostile_targets::HostileName;
use std::collections::HashMap;
use std::net::{IpAddr, UdpSocket};
use std::thread;

const TYPE_A: u16 = 1;
const TYPE_AAAA: u16 = 28;
const HEADER_BYTES: usize = 12;

/// Starts a name server on a socket. Each query of type A moves a name to its next answer; the last one is repeated.
pub(crate) fn start_name_server(socket: UdpSocket, names: Vec<HostileName>) {
    thread::spawn(move || {
        let mut queries: HashMap<String, usize> = HashMap::new();
        let mut buffer = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut buffer) {
            let query = &buffer[..length];
            let (name, query_type, end) = question(query);
            let count = queries.entry(name.clone()).or_default();
            *count += usize::from(query_type == TYPE_A);
            let script = names.iter().find(|(known_name, _)| *known_name == name);
            let answer: Vec<IpAddr> = script.map_or_else(Vec::new, |(_, answers)| {
                let index = count.saturating_sub(1).min(answers.len() - 1);
                answers[index]
                    .iter()
                    .map(|text| text.parse().unwrap())
                    .collect()
            });
            let response = response(&query[..end], query_type, &answer, script.is_some());
            socket.send_to(&response, client).unwrap();
        }
    });
}

/// Returns name and type of the question of a query, and where the question ends.
fn question(query: &[u8]) -> (String, u16, usize) {
    let mut labels = Vec::new();
    let mut position = HEADER_BYTES;
    while query[position] != 0 {
        let length = usize::from(query[position]);
        let label = &query[position + 1..=position + length];
        labels.push(String::from_utf8_lossy(label).to_lowercase());
        position += 1 + length;
    }
    let query_type = u16::from_be_bytes([query[position + 1], query[position + 2]]);
    (labels.join("."), query_type, position + 5)
}

/// Returns the response to a query that ends with its question.
fn response(query: &[u8], query_type: u16, answer: &[IpAddr], is_known: bool) -> Vec<u8> {
    let mut records = Vec::new();
    let mut count = 0_u16;
    for address in answer {
        let bytes = match (address, query_type) {
            (IpAddr::V4(address), TYPE_A) => address.octets().to_vec(),
            (IpAddr::V6(address), TYPE_AAAA) => address.octets().to_vec(),
            _ => continue,
        };
        // A pointer to the name of the question, the type, the class, and a lifetime of zero seconds.
        records.extend([0xc0, 0x0c]);
        records.extend(query_type.to_be_bytes());
        records.extend([0, 1, 0, 0, 0, 0, 0]);
        records.push(u8::try_from(bytes.len()).unwrap());
        records.extend(bytes);
        count += 1;
    }
    let mut response = query.to_vec();
    // A recursive answer without an error, or for a name that does not exist.
    response[2..4].copy_from_slice(&[0x81, if is_known { 0x80 } else { 0x83 }]);
    response[6..8].copy_from_slice(&count.to_be_bytes());
    response[8..HEADER_BYTES].fill(0);
    response.extend(records);
    response
}
