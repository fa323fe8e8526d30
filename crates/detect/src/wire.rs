//! Evidence as it travels: schema version 1, read strictly.
//!
//! The names, units and limits are those of the schema's reference page. Anything that the page does not name is
//! refused, with the member at fault and what it should have been. Deltas are undone while reading, so everything
//! here is absolute: times in tenths of a millisecond since the window's time origin, lengths in hundredths of a CSS
//! pixel.

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
