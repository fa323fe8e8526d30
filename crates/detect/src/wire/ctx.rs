//! What a batch belongs to, and its clock.

use super::fault::Fault;
use super::fields::{Fields, object};
use super::node::{FromNode, Node};
use super::text::Text;

/// What a batch belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ctx {
    /// `contextId`.
    pub context: Text<128>,
    /// `address`.
    pub address: Text<128>,
    /// 1 to 3.
    pub batch: u8,
    /// The token of the drawn step.
    pub answer: Option<Text<128>>,
    /// Which release of the window wrote it.
    pub client_version: Text<32>,
}

impl FromNode for Ctx {
    fn from_node(node: Node) -> Result<Self, Fault> {
        let mut fields = Fields::of(node)?;
        let read = Self {
            context: fields.required("contextId")?,
            address: fields.required("address")?,
            batch: batch_number(fields.required("batch")?).map_err(|fault| fault.inside("batch"))?,
            answer: fields.optional("answer")?,
            client_version: fields.required("clientVersion")?,
        };
        fields.finish()?;
        Ok(read)
    }
}

fn batch_number(value: i64) -> Result<u8, Fault> {
    match value {
        1 => Ok(1),
        2 => Ok(2),
        3 => Ok(3),
        other => Err(Fault::new(format!("must be 1, 2 or 3, not {other}"))),
    }
}

object! {
    /// The window's own clock: `timeOrigin` in Unix milliseconds, `load` and `submit` in tenths of a millisecond after it.
    Clock {
        time_origin: f64 = "timeOrigin",
        load: i64 = "load",
        submit: i64 = "submit",
    }
}
