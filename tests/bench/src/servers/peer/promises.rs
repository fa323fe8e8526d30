//! Guarantees that a peer must keep like the service.

use super::super::lookups::address;
use super::super::metered::BillableServer;
use anyhow::{Context, Result, ensure};
use voight_tests::http::{self, Response};

/// Idempotency key that no load uses, and addresses for its lookups.
const CLAIM: &str = "tried";
const NUMBERS: [u64; 2] = [0, 1];

/// Verifies the guarantees of a peer.
///
/// An unknown key is rejected, a repeated lookup gets its first row, and an idempotency key is bound to one lookup.
pub(super) fn ensure_kept(peer: &impl BillableServer) -> Result<()> {
    let [one, other] = NUMBERS;
    let key = peer.account().key.as_str();
    let unknown = ask(peer, "unknown-key", one)?.status;
    ensure!(unknown == 401, "a key that is no client's is answered {unknown} instead of 401");
    let before = peer.billable()?;
    let first = answered(&ask(peer, key, one)?)?;
    let again = answered(&ask(peer, key, one)?)?;
    ensure!(first == again, "a lookup that is sent again is answered {again:?} instead of {first:?}");
    let reused = ask(peer, key, other)?.status;
    ensure!(reused == 422, "an idempotency key of another question is answered {reused} instead of 422");
    let rows = peer.billable()? - before;
    ensure!(rows == 1, "one lookup, sent again, has {rows} rows");
    Ok(())
}

fn ask(peer: &impl BillableServer, key: &str, number: u64) -> Result<Response> {
    let (address, context) = (address(number), &peer.account().context);
    let path = format!("/api/v1/users/eoa?eoa_address={address}&context_id={context}");
    let port = peer.target().ports().next().context("no port is listening")?;
    let url = format!("http://127.0.0.1:{port}{path}");
    Ok(http::get(&http::agent(), &url, &[("x-api-key", key), ("idempotency-key", CLAIM)])?)
}

/// Returns the row that a response names, and its body.
fn answered(answer: &Response) -> Result<(String, String)> {
    ensure!(answer.status == 200, "a lookup is answered {}: {}", answer.status, answer.body);
    let row = answer.header("voight-meter").context("a lookup has no row")?;
    Ok((row.to_owned(), answer.body.clone()))
}
