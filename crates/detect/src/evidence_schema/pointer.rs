//! Pointer events.

use super::fault::SchemaError;
use super::list::elements;
use super::node::{FromJson, JsonValue};
use super::row::{DeltaRow, enum_index, integers, row_of, undo_deltas, value};
use voight_domain::check::Member;

/// Type of a pointer event.
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

/// Type of a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PointerType {
    Mouse,
    Pen,
    Touch,
    /// Empty or another value: a click by keyboard, or an older browser.
    Other,
}

/// Element that was hit.
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
const TYPES: [PointerType; 4] = [
    PointerType::Mouse,
    PointerType::Pen,
    PointerType::Touch,
    PointerType::Other,
];
pub(super) const ROLES: [HitTarget; 4] = [
    HitTarget::Page,
    HitTarget::First,
    HitTarget::Second,
    HitTarget::OtherButton,
];

/// Pointer event; times in tenths of a millisecond, lengths in hundredths of a CSS pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointerEvent {
    /// Type of the event.
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
    /// Type of the pointer.
    pub pointer: PointerType,
    /// `isTrusted`.
    pub trusted: bool,
    /// `isPrimary`.
    pub primary: bool,
    /// `detail` of a click: 0 if no pointer clicked.
    pub detail: i64,
    /// Element that was hit.
    pub role: HitTarget,
    /// Number of coalesced events, if the browser reports it.
    pub coalesced: Option<i64>,
    /// Number of predicted events, if the browser reports it.
    pub predicted: Option<i64>,
    /// Time from the event to its handler.
    pub latency: i64,
    /// Timestamps of the coalesced events, relative to `t`.
    pub times: Vec<i64>,
}

impl DeltaRow for PointerEvent {
    type DeltaBase = [i64; 5];
    const MAX: usize = 1200;
    const VALUES: &'static [Member] = &[
        value(
            "kind",
            "The kind of event: move, press, release, cancel, enter, leave or click.",
        ),
        value("dt", "When: the rhythm of hands is uneven."),
        value(
            "dx",
            "The horizontal position in this window: the path of a hand bends and slows down.",
        ),
        value("dy", "The vertical position in this window."),
        value(
            "dsx",
            "The horizontal position on the screen, which has to fit the path in the window.",
        ),
        value("dsy", "The vertical position on the screen."),
        value("mx", "The horizontal movement that the browser reports."),
        value("my", "The vertical movement that the browser reports."),
        value("buttons", "The mouse buttons that were pressed."),
        value("pressure", "The pressure, if the device measures it."),
        value("type", "The type of the pointer: mouse, pen or finger."),
        value(
            "flags",
            "The browser's mark of real input, and the number of consecutive clicks.",
        ),
        value(
            "role",
            "The place of the event: the page, a target or another button, never the content beside them.",
        ),
        value("coalesced", "The number of steps that the browser merged."),
        value(
            "predicted",
            "The number of steps that the browser predicted.",
        ),
        value("latency", "The delay between the event and its delivery."),
        value("times", "The times of the merged steps."),
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

    /// Returns the distance from another event, in hundredths of a CSS pixel.
    #[expect(clippy::cast_precision_loss, reason = "screens are small")]
    pub fn distance(&self, other: &Self) -> f64 {
        (self.x.saturating_sub(other.x) as f64).hypot(self.y.saturating_sub(other.y) as f64)
    }

    /// Returns all integers of the event in a fixed order.
    pub(crate) fn integers(&self) -> impl Iterator<Item = i64> + '_ {
        let flags = i64::from(self.trusted) | i64::from(self.primary) << 1;
        let fields = [
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
        fields.into_iter().chain(self.times.iter().copied())
    }
}

fn optional_count(count: i64) -> Option<i64> {
    (count >= 0).then_some(count)
}

fn read_times(node: JsonValue) -> Result<Vec<i64>, SchemaError> {
    let read_time = |(at, node)| i64::from_node(node).map_err(|fault| fault.at_index(at));
    let nodes = elements(node, 16).map_err(|fault| fault.at_index(16))?;
    nodes
        .into_iter()
        .enumerate()
        .map(read_time)
        .collect::<Result<_, _>>()
        .map_err(|fault| fault.at_index(16))
}
