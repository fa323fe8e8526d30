//! One document.

use super::counts::{Counts, HostCounts};
use super::ctx::{BatchContext, Clock};
use super::device::Device;
use super::env::Env;
use super::fault::SchemaError;
use super::fields::{Fields, member};
use super::focus::{FocusChange, VisibilityChange};
use super::keys::KeyDown;
use super::layout::Rectangle;
use super::list::BoundedList;
use super::node::JsonValue;
use super::pointer::PointerEvent;
use super::row::{DeltaRow, RowList};
use super::touches::TouchPoint;
use voight_domain::check::{Disclosure, Member, Purpose};

/// The most bytes of a batch.
pub const MAX_BYTES: usize = 65_536;

/// One batch of evidence, deltas undone.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceDocument {
    /// What it belongs to.
    pub ctx: BatchContext,
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
    pub layout: BoundedList<Rectangle, 16>,
}

/// What it takes to take evidence for what it is.
const CORRELATION_MEMBERS: &[Member] = &[
    member::<i64>("v", "The version of this list, so that each side knows what the other one means."),
    member::<BatchContext>("ctx", "What the evidence belongs to, so that nobody can present it for anything else."),
    member::<Clock>("clock", "When the evidence was collected, since it has to fit the time that has passed."),
    member::<BoundedList<Rectangle, 16>>("layout", "Where the targets were shown, since the presses have to fit them."),
];
/// What is looked at to judge.
const JUDGING_MEMBERS: &[Member] = &[
    member::<Env>("env", "What the browser says about itself: browsers under automation often contradict themselves."),
    member::<RowList<PointerEvent>>(
        "pointer",
        "How the pointer moved inside this window: hands move unlike programs. Small outlines of these movements also show whether they were made before, for other addresses.",
    ),
    member::<Counts>("counts", "How much happened inside this window: what is reported has to fit these counts."),
    member::<HostCounts>(
        "hostCounts",
        "How much happened on the page around, in numbers only: never positions, keys or text.",
    ),
    member::<RowList<KeyDown>>(
        "keys",
        "The rhythm of keys in this window, never which keys: some people use nothing else.",
    ),
    member::<RowList<TouchPoint>>("touches", "How fingers touched this window: fingers are wide and uneven."),
    member::<RowList<FocusChange>>("focus", "When the focus came to parts of this window, or went."),
    member::<RowList<VisibilityChange>>("visibility", "When this window was hidden or shown."),
];
/// What is looked at to link.
const LINKING_MEMBERS: &[Member] =
    &[member::<Device>("device", "Marks of this machine, which many machines of one make may share.")];

impl EvidenceDocument {
    /// Every member of a batch, by its purpose.
    pub const MEMBERS: [Disclosure; 3] = [
        Disclosure { purpose: Purpose::Correlation, members: CORRELATION_MEMBERS },
        Disclosure { purpose: Purpose::Judging, members: JUDGING_MEMBERS },
        Disclosure { purpose: Purpose::Linking, members: LINKING_MEMBERS },
    ];

    /// The batch in `body`, read strictly.
    pub fn read(body: &[u8]) -> Result<Self, SchemaError> {
        if body.len() > MAX_BYTES {
            return Err(SchemaError::new(format!("must be at most {MAX_BYTES} bytes, not {}", body.len())));
        }
        let mut fields =
            Fields::of_either(JsonValue::read(body)?, &[CORRELATION_MEMBERS, JUDGING_MEMBERS, LINKING_MEMBERS])?;
        version(fields.required("v")?).map_err(|fault| fault.inside("v"))?;
        Ok(Self {
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
        })
    }
}

fn version(v: i64) -> Result<(), SchemaError> {
    if v == 1 { Ok(()) } else { Err(SchemaError::new(format!("must be 1, the only schema version, not {v}"))) }
}

fn rows<T: DeltaRow>(fields: &mut Fields, name: &str) -> Result<Vec<T>, SchemaError> {
    Ok(fields.optional::<RowList<T>>(name)?.map_or_else(Vec::new, |list| list.0))
}
