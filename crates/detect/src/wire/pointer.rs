//! Pointer moments.

use super::fault::SchemaError;
use super::list::elements;
use super::node::{FromJson, JsonValue};
use super::row::{DeltaRow, enum_index, integers, row_of, undo_deltas, value};
use voight_domain::check::Member;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PointerKind {
    Move,
    Down,
    Up,
    Cancel,
    Enter,
    Leave,
    Click,
}

/// What pointed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PointerType {
    Mouse,
    Pen,
    Touch,
    /// Empty or something else: a click by keyboard, or an older browser.
    Other,
}

/// What was hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum HitTarget {
    Page,
    First,
    Second,
    OtherButton,
}

const KINDS: [PointerKind; 7] = [
    PointerKind::Move,
    PointerKind::Down,
    PointerKind::Up,
    PointerKind::Cancel,
    PointerKind::Enter,
    PointerKind::Leave,
    PointerKind::Click,
];
const TYPES: [PointerType; 4] = [PointerType::Mouse, PointerType::Pen, PointerType::Touch, PointerType::Other];
pub(super) const ROLES: [HitTarget; 4] = [HitTarget::Page, HitTarget::First, HitTarget::Second, HitTarget::OtherButton];

/// One pointer event; times in tenths of a millisecond, lengths in hundredths of a CSS pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointerEvent {
    /// What happened.
    pub kind: PointerKind,
    /// `event.timeStamp`.
    pub t: i64,
    /// `clientX`.
    pub x: i64,
    /// `clientY`.
    pub y: i64,
    /// `screenX`.
    pub screen_x: i64,
    /// `screenY`.
    pub screen_y: i64,
    /// `movementX` and `movementY`.
    pub movement: (i64, i64),
    /// `buttons`.
    pub buttons: i64,
    /// `pressure` in thousandths.
    pub pressure: i64,
    /// What pointed.
    pub pointer: PointerType,
    /// `isTrusted`.
    pub trusted: bool,
    /// `isPrimary`.
    pub primary: bool,
    /// `detail` of a click: 0 where no pointer clicked.
    pub detail: i64,
    /// What was hit.
    pub role: HitTarget,
    /// How many coalesced events it stands for, if the browser says so.
    pub coalesced: Option<i64>,
    /// How many events were predicted, if the browser says so.
    pub predicted: Option<i64>,
    /// From the event to its handler.
    pub latency: i64,
    /// Time stamps of the coalesced events, relative to `t`.
    pub times: Vec<i64>,
}

impl DeltaRow for PointerEvent {
    type DeltaBase = [i64; 5];
    const MAX: usize = 1200;
    const VALUES: &'static [Member] = &[
        value("kind", "Whether it moved, pressed, let go, was taken away, came, left or clicked."),
        value("dt", "When: the rhythm of hands is uneven."),
        value("dx", "How far to the right in this window: the path of a hand bends and brakes."),
        value("dy", "How far down in this window."),
        value("dsx", "How far to the right on the screen, which has to fit the path in the window."),
        value("dsy", "How far down on the screen."),
        value("mx", "How far to the right, as the browser tells it."),
        value("my", "How far down, as the browser tells it."),
        value("buttons", "Which buttons of the mouse were down."),
        value("pressure", "How hard it pressed, where the device feels that."),
        value("type", "Whether a mouse, a pen or a finger."),
        value("flags", "Whether the browser vouches for it, and how many clicks were made in a row."),
        value("role", "Whether on the page, a target or another button, never what is beside them."),
        value("coalesced", "How many steps the browser took together."),
        value("predicted", "How many steps it foresaw."),
        value("latency", "How long the event took to arrive."),
        value("times", "When the steps that were taken together happened."),
    ];

    fn row(node: JsonValue, before: &mut [i64; 5]) -> Result<Self, SchemaError> {
        let mut nodes = row_of(node, Self::VALUES.len())?;
        let times = nodes.pop().map_or(Ok(Vec::new()), read_times)?;
        let mut row = integers::<16>(&nodes)?;
        undo_deltas(&mut row, [1, 2, 3, 4, 5], before);
        Self::from_row(row, times)
    }
}

impl PointerEvent {
    fn from_row(row: [i64; 16], times: Vec<i64>) -> Result<Self, SchemaError> {
        let [
            kind,
            t,
            x,
            y,
            screen_x,
            screen_y,
            mx,
            my,
            buttons,
            pressure,
            pointer,
            flags,
            role,
            coalesced,
            predicted,
            latency,
        ] = row;
        Ok(Self {
            kind: KINDS[enum_index(kind, KINDS.len() - 1, 0)?],
            t,
            x,
            y,
            screen_x,
            screen_y,
            movement: (mx, my),
            buttons,
            pressure,
            pointer: TYPES[enum_index(pointer, TYPES.len() - 1, 10)?],
            trusted: flags & 1 != 0,
            primary: flags & 2 != 0,
            detail: flags >> 2,
            role: ROLES[enum_index(role, ROLES.len() - 1, 12)?],
            coalesced: optional_count(coalesced),
            predicted: optional_count(predicted),
            latency,
            times,
        })
    }

    /// How far from another event, in hundredths of a CSS pixel.
    #[expect(clippy::cast_precision_loss, reason = "screens are small")]
    pub fn distance(&self, other: &Self) -> f64 {
        (self.x.saturating_sub(other.x) as f64).hypot(self.y.saturating_sub(other.y) as f64)
    }

    /// Every integer of the event in a fixed order.
    pub(crate) fn integers(&self) -> impl Iterator<Item = i64> + '_ {
        let flags = i64::from(self.trusted) | i64::from(self.primary) << 1;
        let fixed = [
            self.kind as i64,
            self.t,
            self.x,
            self.y,
            self.screen_x,
            self.screen_y,
            self.movement.0,
            self.movement.1,
            self.buttons,
            self.pressure,
            self.pointer as i64,
            flags,
            self.detail,
            self.role as i64,
            self.coalesced.unwrap_or(-1),
            self.predicted.unwrap_or(-1),
            self.latency,
        ];
        fixed.into_iter().chain(self.times.iter().copied())
    }
}

fn optional_count(count: i64) -> Option<i64> {
    (count >= 0).then_some(count)
}

fn read_times(node: JsonValue) -> Result<Vec<i64>, SchemaError> {
    let read = |(at, node)| i64::from_node(node).map_err(|fault| fault.at_index(at));
    let nodes = elements(node, 16).map_err(|fault| fault.at_index(16))?;
    nodes.into_iter().enumerate().map(read).collect::<Result<_, _>>().map_err(|fault| fault.at_index(16))
}
