//! One document.

use super::counts::{Counts, HostCounts};
use super::ctx::{Clock, Ctx};
use super::device::Device;
use super::env::Env;
use super::fault::Fault;
use super::fields::Fields;
use super::focus::{FocusChange, VisibilityChange};
use super::keys::KeyDown;
use super::layout::Rectangle;
use super::list::List;
use super::node::Node;
use super::pointer::PointerEvent;
use super::row::{Decoded, Rows};
use super::touches::TouchPoint;

/// The most bytes of a batch.
pub const MAX_BYTES: usize = 65_536;

/// One batch of evidence, deltas undone.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// What it belongs to.
    pub ctx: Ctx,
    /// The window's clock.
    pub clock: Clock,
    /// What the browser says about itself.
    pub env: Option<Env>,
    /// For linking only.
    pub device: Option<Device>,
    /// Pointer moments since the batch before.
    pub pointer: Vec<PointerEvent>,
    /// Events seen inside the frame since load.
    pub counts: Option<Counts>,
    /// Counters of the host page.
    pub host_counts: Option<HostCounts>,
    /// Keys since the batch before.
    pub keys: Vec<KeyDown>,
    /// Touch points since the batch before.
    pub touches: Vec<TouchPoint>,
    /// Focus changes since the batch before.
    pub focus: Vec<FocusChange>,
    /// Visibility changes since the batch before.
    pub visibility: Vec<VisibilityChange>,
    /// Rectangles rendered since the batch before.
    pub layout: List<Rectangle, 16>,
}

impl Batch {
    /// The batch in `body`, read strictly.
    pub fn read(body: &[u8]) -> Result<Self, Fault> {
        if body.len() > MAX_BYTES {
            return Err(Fault::new(format!("must be at most {MAX_BYTES} bytes, not {}", body.len())));
        }
        let mut fields = Fields::of(Node::read(body)?)?;
        version(fields.required("v")?).map_err(|fault| fault.inside("v"))?;
        let read = Self {
            ctx: fields.required("ctx")?,
            clock: fields.optional("clock")?.unwrap_or_default(),
            env: fields.optional("env")?,
            device: fields.optional("device")?,
            pointer: rows(&mut fields, "pointer")?,
            counts: fields.optional("counts")?,
            host_counts: fields.optional("hostCounts")?,
            keys: rows(&mut fields, "keys")?,
            touches: rows(&mut fields, "touches")?,
            focus: rows(&mut fields, "focus")?,
            visibility: rows(&mut fields, "visibility")?,
            layout: fields.optional("layout")?.unwrap_or_default(),
        };
        fields.finish()?;
        Ok(read)
    }
}

fn version(v: i64) -> Result<(), Fault> {
    if v == 1 { Ok(()) } else { Err(Fault::new(format!("must be 1, the only schema version, not {v}"))) }
}

fn rows<T: Rows>(fields: &mut Fields, name: &str) -> Result<Vec<T>, Fault> {
    Ok(fields.optional::<Decoded<T>>(name)?.map_or_else(Vec::new, |list| list.0))
}
