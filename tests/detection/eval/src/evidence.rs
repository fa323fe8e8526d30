//! Converts recordings to the evidence of checks, in the wire format of the window.
//!
//! No server drew the targets of a recording, so the gate is skipped; parser, rules and combination are those of the
//! service.

mod browser;
pub(crate) mod chromium;
mod pointer;
mod row;
mod session;

pub use pointer::{PointerKind, check_from_movements};
pub use session::session;

use anyhow::Result;
use serde_json::Value;
use voight_domain::check::{AddressFamily, Challenge, EvidenceBatch, RequestMetadata};
use voight_domain::ports::CheckEvidence;
use voight_domain::registry::PressCount;
use voight_domain::secrets::NetworkHash;
use voight_domain::verdict::LayerKind;
use voight_domain::{CheckId, Environment, EoaAddress, Timestamp};

/// Opening time of all checks, in Unix milliseconds.
const OPENED: i64 = 1_795_000_000_000;

/// Evidence of a check with two batches.
#[derive(Debug, Clone)]
pub struct SyntheticCheck {
    challenge: Challenge,
    batches: Vec<EvidenceBatch>,
}

impl SyntheticCheck {
    /// Creates a completed check from documents, each sent with these headers.
    fn new(documents: [Value; 2], headers: &[(String, String)]) -> Result<Self> {
        Self::of_bodies(
            documents
                .map(|document| document.to_string().into_bytes())
                .into(),
            headers,
        )
    }

    /// Creates a completed check from bodies, each sent with these headers.
    pub(crate) fn of_bodies(bodies: Vec<Vec<u8>>, headers: &[(String, String)]) -> Result<Self> {
        let challenge = challenge()?;
        let batch = |(number, body): (u8, Vec<u8>)| EvidenceBatch {
            challenge: challenge.clone(),
            number,
            received_at: Timestamp::from_millis(OPENED + 290_000),
            call: RequestMetadata {
                headers: headers.to_vec(),
                network: NetworkHash([0; 16]),
                family: AddressFamily::V4,
            },
            body,
        };
        let batches = (1..).zip(bodies).map(batch).collect();
        Ok(Self { challenge, batches })
    }

    /// Returns the input of an assessor.
    pub fn evidence(&self) -> CheckEvidence<'_> {
        let judged_at = Timestamp::from_millis(OPENED + 299_000);
        CheckEvidence {
            challenge: &self.challenge,
            batches: &self.batches,
            judged_at,
            completed: true,
        }
    }

    /// Returns the bodies of the batches.
    pub fn bodies(&self) -> impl Iterator<Item = &[u8]> {
        self.batches.iter().map(|batch| batch.body.as_slice())
    }
}

/// Returns the challenge of every check; only the gate reads its values.
fn challenge() -> Result<Challenge> {
    Ok(Challenge {
        check: CheckId::from_bytes([1; 16]),
        context: "recording.01k0ab3cdefghjkmnpqrstvwxy".parse()?,
        address: EoaAddress::from_bytes([2; 20]),
        origin: "https://quest.example".parse()?,
        origin_allowlisted: false,
        environment: Environment::Live,
        layer: LayerKind::Unverified,
        presses: PressCount::Two,
        seed: [0; 8],
        work_bits: 0,
        opened_at: Timestamp::from_millis(OPENED),
    })
}

/// Returns the members that every document has.
fn context(batch: u8) -> Value {
    serde_json::json!({"contextId": "c", "address": "a", "batch": batch, "clientVersion": "recording"})
}

/// Converts to the nearest whole number of units, of which `by` make one.
#[expect(clippy::cast_possible_truncation, reason = "casts saturate")]
fn units(value: f64, by: f64) -> i64 {
    (value * by).round() as i64
}
