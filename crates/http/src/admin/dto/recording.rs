//! What checks recorded, without whose they were.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What stands in the place of a context's id and an address.
const ANONYMISED: &str = "recorded";

/// A line of the answer. The last is [`RecordingLine::Done`]; an answer without it was broken off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordingLine {
    /// A check.
    Recording(Recording),
    /// That was all.
    Done {
        /// Checks whose evidence is gone.
        gone: u64,
    },
}

/// What a check recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Recording {
    /// Stands for who did it, and says nothing of the address.
    pub person: String,
    /// The check.
    pub check_id: String,
    /// The batches of its evidence.
    pub batches: Vec<RecordedBatch>,
}

/// A batch of evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecordedBatch {
    /// Its number.
    pub number: u8,
    /// When it arrived, in ms after the check was opened.
    pub received_after_ms: u64,
    /// The headers of the call that brought it.
    pub headers: Vec<(String, String)>,
    /// The document, without address, context and what could tell one device from another.
    pub body: Value,
}

impl RecordedBatch {
    /// The batch without whose it is; `None` if its body is no document of this release.
    pub(crate) fn from_batch(batch: &voight_domain::check::EvidenceBatch) -> Option<Self> {
        let mut body: Value = serde_json::from_slice(&batch.body).ok()?;
        let members = body.as_object_mut()?;
        members.remove("device");
        let ctx = members.get_mut("ctx")?.as_object_mut()?;
        for member in ["contextId", "address"] {
            ctx.insert(member.to_owned(), ANONYMISED.into());
        }
        ctx.remove("answer");
        let after = batch.received_at.saturating_since(batch.challenge.opened_at).as_millis();
        Some(Self {
            number: batch.number,
            received_after_ms: u64::try_from(after).unwrap_or(u64::MAX),
            headers: batch.call.headers.clone(),
            body,
        })
    }
}
