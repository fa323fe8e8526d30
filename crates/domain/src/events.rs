//! Events of a client: what changed, in order, for platforms that act on it.
//!
//! A store appends the events of a change in the transaction of the change, so an event exists if and only if its change
//! does. Payloads are thin: an event names what changed, and the client looks it up.

mod changes;
mod client_event;
mod event_feed;
mod event_type;
mod feed_position;

pub use changes::{context_event, invoice_event, key_event, snapshot_event, verdict_event};
pub use client_event::{ClientEvent, EventSubject, NewEvent};
pub use event_feed::EventFeed;
pub use event_type::{EventType, EventTypeError, EventTypeSet};
pub use feed_position::{FeedPosition, FeedPositionError};
