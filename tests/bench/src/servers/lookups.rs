//! Lookups as a platform's backend sends them, with a key and an idempotency key.

use crate::load::{LoadClient, RawResponse};
use anyhow::{Context, Result};
use std::fmt;
use std::io::Write;
use voight_tests::server::TestAccount;

/// Multiplier that distributes numbers over all addresses (2^64 divided by the golden ratio).
const TOLERANCE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Shape of a load: number of connections, and use of idempotency keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoadShape {
    pub(crate) connections: usize,
    /// `true` when each lookup has an idempotency key, which the service must additionally store and check.
    pub(crate) idempotent: bool,
}

impl LoadShape {
    /// Returns the name in the JSON.
    pub(crate) fn name(self) -> String {
        format!(
            "c{}{}",
            self.connections,
            if self.idempotent {
                ""
            } else {
                "_no_idempotency_key"
            }
        )
    }
}

impl fmt::Display for LoadShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            connections,
            idempotent,
        } = self;
        write!(
            f,
            "{connections} connection{}",
            if *connections == 1 { "" } else { "s" }
        )?;
        if *idempotent {
            Ok(())
        } else {
            write!(f, ", no idempotency key")
        }
    }
}

/// Lookups of one connection, whose numbers are unique among all connections.
#[derive(Debug)]
pub(crate) struct LookupClient {
    head: String,
    tail: String,
    shape: LoadShape,
    next: u64,
    step: u64,
    addresses: u64,
    /// Rows that responses have named.
    rows: Vec<u64>,
}

impl LookupClient {
    /// Creates the lookups of each connection, numbered from `first`.
    ///
    /// `addresses` addresses are looked up in turn. Each idempotency key is unique.
    pub(crate) fn for_connections(
        shape: LoadShape,
        account: &TestAccount,
        first: u64,
        addresses: u64,
    ) -> Vec<Self> {
        let TestAccount { key, context, .. } = account;
        let step = shape.connections as u64;
        let head = "GET /api/v1/users/eoa?eoa_address=".to_owned();
        let tail =
            format!("&context_id={context} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {key}\r\n");
        let of = |number| Self {
            head: head.clone(),
            tail: tail.clone(),
            shape,
            next: first + number,
            step,
            addresses,
            rows: Vec::new(),
        };
        (0..step).map(of).collect()
    }

    /// Returns a number greater than all used ones.
    pub(crate) fn beyond(all: &[Self]) -> u64 {
        all.iter()
            .map(|lookups| lookups.next)
            .max()
            .unwrap_or_default()
    }

    /// Returns the rows that responses on all connections have named.
    pub(crate) fn rows(all: Vec<Self>) -> Vec<u64> {
        all.into_iter().flat_map(|lookups| lookups.rows).collect()
    }
}

impl LoadClient for LookupClient {
    fn write_request(&mut self, into: &mut Vec<u8>) -> bool {
        let number = self.next;
        self.next += self.step;
        // Writing to memory cannot fail.
        let _ = write!(
            into,
            "{}{}{}",
            self.head,
            address(number % self.addresses),
            self.tail
        );
        if self.shape.idempotent {
            let _ = write!(into, "idempotency-key: bench-{number}\r\n");
        }
        into.extend_from_slice(b"\r\n");
        true
    }

    fn read_response(&mut self, answer: RawResponse<'_>) -> Result<()> {
        answer.ensure_ok()?;
        self.rows
            .push(row(answer).context("a response names no ledger row")?);
        Ok(())
    }
}

/// Returns the address of a number.
pub(super) fn address(number: u64) -> String {
    let quartiles = number.wrapping_add(1).wrapping_mul(TOLERANCE);
    format!("0x{quartiles:016x}{:024x}", number + 1)
}

/// Parses the row that a response names: `seq=12, head=…`, or `seq=12` without a hash chain.
fn row(answer: RawResponse<'_>) -> Option<u64> {
    let meter = str::from_utf8(answer.header("voight-meter")?).ok()?;
    meter.strip_prefix("seq=")?.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account() -> TestAccount {
        let text = str::to_owned;
        TestAccount {
            client: text("a"),
            key: text("k"),
            key_id: text("i"),
            context: text("c"),
        }
    }

    #[test]
    fn connections_have_unique_numbers() {
        let mut clients = LookupClient::for_connections(
            LoadShape {
                connections: 2,
                idempotent: true,
            },
            &account(),
            10,
            100,
        );
        let mut sent_request = |which: usize| {
            let mut text = Vec::new();
            assert!(clients[which].write_request(&mut text));
            let text = String::from_utf8(text).unwrap();
            text.split_once("idempotency-key: ")
                .unwrap()
                .1
                .trim()
                .to_owned()
        };
        assert_eq!(
            [sent_request(0), sent_request(1), sent_request(0)],
            ["bench-10", "bench-11", "bench-12"]
        );
    }

    #[test]
    fn rows_are_parsed_with_and_without_a_chain() {
        for meter in ["seq=12, head=00ff", "seq=12"] {
            let text = format!("HTTP/1.1 200 OK\r\nvoight-meter: {meter}\r\n\r\n");
            assert_eq!(
                row(RawResponse::parse_complete(text.as_bytes()).unwrap()),
                Some(12)
            );
        }
    }

    #[test]
    fn addresses_have_40_digits_and_differ() {
        let unique_addresses: std::collections::BTreeSet<_> = (0..1000).map(address).collect();
        assert_eq!(unique_addresses.len(), 1000);
        assert!(unique_addresses.iter().all(|address| address.len() == 42));
    }
}
