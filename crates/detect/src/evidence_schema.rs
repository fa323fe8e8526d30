//! Evidence in the wire format: schema version 1, parsed strictly.
//!
//! The names, units and limits are those of the schema's reference page. Every member that the page does not name is
//! rejected, with its path and the expected value. Deltas are decoded during parsing, so all values here are absolute:
//! times in tenths of a millisecond since the window's time origin, lengths in hundredths of a CSS pixel.

mod batch;
mod counts;
mod ctx;
mod device;
mod engine;
mod env;
mod fault;
mod fields;
mod focus;
mod hints;
mod keys;
mod layout;
mod list;
mod node;
mod pointer;
mod probe;
mod row;
mod screen;
#[cfg(test)]
mod tests;
mod text;
mod touches;

pub use batch::{EvidenceDocument, MAX_BYTES};
pub use counts::{Counts, HostCounts};
pub use ctx::{BatchContext, Clock};
pub use device::{Device, WebGl};
pub use engine::{Engine, ErrorShape};
pub use env::{Copied, Env, Native, Webdriver};
pub use fault::SchemaError;
pub use focus::{FocusChange, VisibilityChange};
pub use hints::{Hints, NamedVersion};
pub use keys::KeyDown;
pub use layout::{Rectangle, RectangleRole};
pub use list::BoundedList;
pub use pointer::{HitTarget, PointerEvent, PointerKind, PointerType};
pub use probe::{Debugger, Probe};
pub use screen::{Media, PointerAccuracy, Position, Screen, Size, Viewport};
pub use text::BoundedText;
pub use touches::TouchPoint;
