//! Batch lookups as a platform's backend sends them, with a key and an idempotency key.

use super::lookups::address;
use crate::load::{LoadClient, RawResponse};
use anyhow::{Result, ensure};
use std::io::Write;
use std::rc::Rc;
use voight_tests::server::TestAccount;

/// Addresses of a batch, the maximum.
pub(crate) const BATCH_SIZE: u64 = 1_000;

/// Batch lookups of one connection, whose numbers are unique among all connections.
#[derive(Debug)]
pub(crate) struct BatchClient {
    head: String,
    bodies: Rc<[String]>,
    next: u64,
    step: u64,
    /// Number of answered batches.
    pub(crate) answered: u64,
}

impl BatchClient {
    /// Creates the batches of each connection, numbered from `first`. `addresses` addresses are looked up in turn.
    pub(crate) fn for_connections(
        connections: u64,
        account: &TestAccount,
        first: u64,
        addresses: u64,
    ) -> Vec<Self> {
        let TestAccount { key, context, .. } = account;
        let body = |batch: u64| {
            let addresses: Vec<_> = (batch * BATCH_SIZE..(batch + 1) * BATCH_SIZE)
                .map(|number| format!("\"{}\"", address(number)))
                .collect();
            format!(
                "{{\"context_id\":\"{context}\",\"eoa_addresses\":[{}]}}",
                addresses.join(",")
            )
        };
        let bodies: Rc<[String]> = (0..addresses / BATCH_SIZE).map(body).collect();
        let head = format!(
            "POST /api/v1/users/eoa/batch HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {key}\r\n\
             content-type: application/json\r\n"
        );
        (0..connections)
            .map(|number| Self {
                head: head.clone(),
                bodies: Rc::clone(&bodies),
                next: first + number,
                step: connections,
                answered: 0,
            })
            .collect()
    }

    /// Returns a number greater than all used ones.
    pub(crate) fn beyond(all: &[Self]) -> u64 {
        all.iter()
            .map(|batches| batches.next)
            .max()
            .unwrap_or_default()
    }
}

impl LoadClient for BatchClient {
    fn write_request(&mut self, into: &mut Vec<u8>) -> bool {
        let number = self.next;
        self.next += self.step;
        let count = self.bodies.len() as u64;
        let body = usize::try_from(number % count.max(1))
            .ok()
            .and_then(|index| self.bodies.get(index));
        let Some(body) = body else { return false };
        // Writing to memory cannot fail.
        let _ = write!(
            into,
            "{}idempotency-key: bench-batch-{number}\r\ncontent-length: {}\r\n\r\n{body}",
            self.head,
            body.len()
        );
        true
    }

    fn read_response(&mut self, answer: RawResponse<'_>) -> Result<()> {
        answer.ensure_ok()?;
        let units = format!("\"units\":{BATCH_SIZE}}}}}");
        ensure!(
            answer.body.ends_with(units.as_bytes()),
            "a response does not answer all addresses"
        );
        self.answered += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_share_the_addresses() {
        let text = str::to_owned;
        let account = TestAccount {
            client: text("a"),
            key: text("k"),
            key_id: text("i"),
            context: text("c"),
        };
        let mut clients = BatchClient::for_connections(2, &account, 10, 3 * BATCH_SIZE);
        let mut sent_addresses = |which: usize| {
            let mut text = Vec::new();
            assert!(clients[which].write_request(&mut text));
            let text = String::from_utf8(text).unwrap();
            let (head, body) = text.split_once("\r\n\r\n").unwrap();
            assert!(head.ends_with(&format!("content-length: {}", body.len())));
            assert_eq!(body.matches("0x").count() as u64, BATCH_SIZE);
            head.split_once("idempotency-key: bench-batch-")
                .unwrap()
                .1
                .split_once('\r')
                .unwrap()
                .0
                .to_owned()
        };
        assert_eq!(
            [sent_addresses(0), sent_addresses(1), sent_addresses(0)],
            ["10", "11", "12"]
        );
        assert_eq!(BatchClient::beyond(&clients), 14);
    }
}
