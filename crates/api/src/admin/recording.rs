//! Anonymised recordings of checks.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Placeholder for a context id and an address.
const ANONYMISED: &str = "recorded";

/// Line of the response. The last line has the member `done`; a response without it is incomplete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordingLine {
    /// Recording of a check.
    Recording(Recording),
    /// End of the response.
    Done {
        /// Number of checks whose evidence was deleted.
        gone: u64,
    },
}

/// Anonymised recording of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Recording {
    /// Pseudonym of the person, which does not reveal the address.
    pub person: String,
    /// Check id.
    pub check_id: String,
    /// Batches of the evidence.
    pub batches: Vec<RecordedBatch>,
}

/// Batch of evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordedBatch {
    /// Batch number.
    pub number: u8,
    /// Time of arrival, in milliseconds after the check was opened.
    pub received_after_ms: u64,
    /// HTTP headers of the request that uploaded the batch.
    pub headers: Vec<(String, String)>,
    /// Evidence document without address, context and device identifiers.
    pub body: Value,
}

impl RecordedBatch {
    /// Anonymises a batch. Returns `None` if its body is not a document of this release.
    pub fn from_batch(batch: &voight_domain::check::EvidenceBatch) -> Option<Self> {
        let mut body: Value = serde_json::from_slice(&batch.body).ok()?;
        let members = body.as_object_mut()?;
        members.remove("device");
        let ctx = members.get_mut("ctx")?.as_object_mut()?;
        for member in ["contextId", "address"] {
            ctx.insert(member.to_owned(), ANONYMISED.into());
        }
        ctx.remove("answer");
        let received_after = batch
            .received_at
            .saturating_since(batch.challenge.opened_at)
            .as_millis();
        Some(Self {
            number: batch.number,
            received_after_ms: u64::try_from(received_after).unwrap_or(u64::MAX),
            headers: batch.call.headers.clone(),
            body,
        })
    }
}
