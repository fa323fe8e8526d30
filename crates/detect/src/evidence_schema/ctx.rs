//! Context of a batch, and its clock.

use super::fault::SchemaError;
use super::fields::{Fields, member, object};
use super::node::{FromJson, JsonValue};
use super::text::BoundedText;
use voight_domain::check::Member;

/// Check to which a batch belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchContext {
    /// `contextId`.
    pub context: BoundedText<128>,
    /// `address`.
    pub address: BoundedText<128>,
    /// Number of the batch, 1 to 3.
    pub batch: u8,
    /// Token of the drawn step.
    pub step_token: Option<BoundedText<128>>,
    /// Release of the window that wrote the batch.
    pub client_version: BoundedText<32>,
}

impl FromJson for BatchContext {
    const MEMBERS: &'static [Member] = &[
        member::<BoundedText<128>>("contextId", "The context of the check, usually one quest."),
        member::<BoundedText<128>>("address", "The address of the wallet that the page named."),
        member::<i64>("batch", "The number of this part of the evidence."),
        member::<BoundedText<128>>(
            "answer",
            "An answer to what the service asked, so that nothing can be prepared.",
        ),
        member::<BoundedText<32>>(
            "clientVersion",
            "The release of the window that wrote the evidence.",
        ),
    ];

    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        let mut fields = Fields::from_object(node, Self::MEMBERS)?;
        Ok(Self {
            context: fields.required("contextId")?,
            address: fields.required("address")?,
            batch: batch_number(fields.required("batch")?)
                .map_err(|fault| fault.inside("batch"))?,
            step_token: fields.optional("answer")?,
            client_version: fields.required("clientVersion")?,
        })
    }
}

fn batch_number(value: i64) -> Result<u8, SchemaError> {
    match value {
        1 => Ok(1),
        2 => Ok(2),
        3 => Ok(3),
        other => Err(SchemaError::new(format!("must be 1, 2 or 3, not {other}"))),
    }
}

object! {
    /// The window's own clock: `timeOrigin` in Unix milliseconds, `load` and `submit` in tenths of a millisecond after it.
    Clock {
        time_origin: f64 = "timeOrigin": "The time at which the window was loaded, by this machine's clock.",
        load: i64 = "load": "The time at which the window's own code began to run.",
        submit: i64 = "submit": "The time at which the batch was written.",
    }
}
