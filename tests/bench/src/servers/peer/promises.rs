//! Guarantees that a peer must keep like the service.

use super::super::lookups::address;
use super::super::metered::BillableServer;
use anyhow::{Context, Result, ensure};
use voight_tests::http::{self, Response};

/// Idempotency key that no load uses, and addresses for its lookups.
const IDEMPOTENCY_KEY: &str = "tried";
const NUMBERS: [u64; 2] = [0, 1];

/// Verifies the guarantees of a peer.
///
/// An unknown key is rejected, a repeated lookup gets its first row, and an idempotency key is bound to one lookup.
pub(super) fn ensure_kept(peer: &impl BillableServer) -> Result<()> {
    let [one, other] = NUMBERS;
    let key = peer.account().key.as_str();
    let unknown = look_up(peer, "unknown-key", one)?.status;
    ensure!(
        unknown == 401,
        "an unknown key returned {unknown}, expected 401"
    );
    let rows_before = peer.billable()?;
    let first = answered(&look_up(peer, key, one)?)?;
    let repetition = answered(&look_up(peer, key, one)?)?;
    ensure!(
        first == repetition,
        "a repeated lookup returned {repetition:?}, expected {first:?}"
    );
    let mismatch_status = look_up(peer, key, other)?.status;
    ensure!(
        mismatch_status == 422,
        "an idempotency key of another lookup returned {mismatch_status}, expected 422"
    );
    let rows = peer.billable()? - rows_before;
    ensure!(rows == 1, "one repeated lookup has {rows} rows");
    Ok(())
}

fn look_up(peer: &impl BillableServer, key: &str, number: u64) -> Result<Response> {
    let address = address(number);
    let context = &peer.account().context;
    let path = format!("/api/v1/users/eoa?eoa_address={address}&context_id={context}");
    let port = peer
        .target()
        .ports()
        .next()
        .context("no port is listening")?;
    let url = format!("http://127.0.0.1:{port}{path}");
    Ok(http::get(
        &http::agent(),
        &url,
        &[("x-api-key", key), ("idempotency-key", IDEMPOTENCY_KEY)],
    )?)
}

/// Returns the row that a response names, and its body.
fn answered(answer: &Response) -> Result<(String, String)> {
    ensure!(
        answer.status == 200,
        "a lookup returned {}: {}",
        answer.status,
        answer.body
    );
    let row = answer
        .header("voight-meter")
        .context("a lookup has no row")?;
    Ok((row.to_owned(), answer.body.clone()))
}
