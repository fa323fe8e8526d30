//! Evidence document: one batch.

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

/// Maximum size of a batch, in bytes.
pub const MAX_BYTES: usize = 65_536;

/// Batch of evidence, with its deltas decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceDocument {
    /// Check to which the batch belongs.
    pub ctx: BatchContext,
    /// Clock of the window.
    pub clock: Clock,
    /// Environment, as the browser reports it.
    pub env: Option<Env>,
    /// Marks of the machine, for linking only.
    pub device: Option<Device>,
    /// Pointer events since the previous batch.
    pub pointer: Vec<PointerEvent>,
    /// Events seen inside the frame since load.
    pub counts: Option<Counts>,
    /// Counters of the host page.
    pub host_counts: Option<HostCounts>,
    /// Keys since the previous batch.
    pub keys: Vec<KeyDown>,
    /// Touch points since the previous batch.
    pub touches: Vec<TouchPoint>,
    /// Focus changes since the previous batch.
    pub focus: Vec<FocusChange>,
    /// Visibility changes since the previous batch.
    pub visibility: Vec<VisibilityChange>,
    /// Rectangles rendered since the previous batch.
    pub layout: BoundedList<Rectangle, 16>,
}

/// Members that assign evidence to its check.
const CORRELATION_MEMBERS: &[Member] = &[
    member::<i64>(
        "v",
        "The version of this list, so that each side knows what the other one means.",
    ),
    member::<BatchContext>(
        "ctx",
        "The check, page and address of the evidence, so that it cannot be submitted for another check.",
    ),
    member::<Clock>(
        "clock",
        "The time of collection, which has to fit the time that has passed.",
    ),
    member::<BoundedList<Rectangle, 16>>(
        "layout",
        "The positions of the targets, which the presses have to fit.",
    ),
];
/// Members that are used for judging.
const JUDGING_MEMBERS: &[Member] = &[
    member::<Env>(
        "env",
        "The properties that the browser reports: automated browsers often contradict themselves.",
    ),
    member::<RowList<PointerEvent>>(
        "pointer",
        "The movements of the pointer inside this window: hands move unlike programs. Small outlines of these movements also show whether they were made before, for other addresses.",
    ),
    member::<Counts>(
        "counts",
        "The numbers of events inside this window, which the reported events have to fit.",
    ),
    member::<HostCounts>(
        "hostCounts",
        "The numbers of events on the surrounding page, never positions, keys or text.",
    ),
    member::<RowList<KeyDown>>(
        "keys",
        "The rhythm of keys in this window, never which keys: some people use nothing else.",
    ),
    member::<RowList<TouchPoint>>(
        "touches",
        "The touches of fingers on this window: fingers are wide and uneven.",
    ),
    member::<RowList<FocusChange>>(
        "focus",
        "The times at which parts of this window got and lost the focus.",
    ),
    member::<RowList<VisibilityChange>>(
        "visibility",
        "The times at which this window was hidden or shown.",
    ),
];
/// Members that are used for linking.
const LINKING_MEMBERS: &[Member] = &[member::<Device>(
    "device",
    "Marks of this machine, which many machines of one make may share.",
)];

impl EvidenceDocument {
    /// All members of a batch, by purpose.
    pub const MEMBERS: [Disclosure; 3] = [
        Disclosure {
            purpose: Purpose::Correlation,
            members: CORRELATION_MEMBERS,
        },
        Disclosure {
            purpose: Purpose::Judging,
            members: JUDGING_MEMBERS,
        },
        Disclosure {
            purpose: Purpose::Linking,
            members: LINKING_MEMBERS,
        },
    ];

    /// Parses the batch in `body` strictly.
    pub fn read(body: &[u8]) -> Result<Self, SchemaError> {
        if body.len() > MAX_BYTES {
            return Err(SchemaError::new(format!(
                "must be at most {MAX_BYTES} bytes, not {}",
                body.len()
            )));
        }
        let mut fields = Fields::of_either(
            JsonValue::read(body)?,
            &[CORRELATION_MEMBERS, JUDGING_MEMBERS, LINKING_MEMBERS],
        )?;
        check_version(fields.required("v")?).map_err(|fault| fault.inside("v"))?;
        Ok(Self {
            ctx: fields.required("ctx")?,
            clock: fields.optional("clock")?.unwrap_or_default(),
            env: fields.optional("env")?,
            device: fields.optional("device")?,
            pointer: read_rows(&mut fields, "pointer")?,
            counts: fields.optional("counts")?,
            host_counts: fields.optional("hostCounts")?,
            keys: read_rows(&mut fields, "keys")?,
            touches: read_rows(&mut fields, "touches")?,
            focus: read_rows(&mut fields, "focus")?,
            visibility: read_rows(&mut fields, "visibility")?,
            layout: fields.optional("layout")?.unwrap_or_default(),
        })
    }
}

/// Rejects every schema version but 1.
fn check_version(version: i64) -> Result<(), SchemaError> {
    if version == 1 {
        Ok(())
    } else {
        Err(SchemaError::new(format!(
            "must be 1, the only schema version, not {version}"
        )))
    }
}

/// Reads an optional list of rows, and decodes their deltas.
fn read_rows<T: DeltaRow>(fields: &mut Fields, name: &str) -> Result<Vec<T>, SchemaError> {
    Ok(fields
        .optional::<RowList<T>>(name)?
        .map_or_else(Vec::new, |list| list.0))
}
