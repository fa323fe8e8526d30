//! A whole store at once, as the records of a dump: read at one moment, or put where none is.
//!
//! A dump has no names of ours for anything: its keys hold numbers of clients and contexts where our tables hold ids, and it has
//! records that only lead from one key to another. `sections.rs` says how each of its tables is made of ours, and `contents.rs` the
//! other way round.

mod contents;
mod draft;
mod rows;
mod sections;
mod snapshot;

pub use draft::StagedRestore;
pub(crate) use sections::share;
pub use snapshot::{Moment, StoreSnapshot};

use std::ops::ControlFlow;
use ulid::Ulid;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;

/// Who a store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreIdentity {
    /// Its id.
    pub id: Ulid,
    /// When it was created.
    pub created_at: Timestamp,
    /// What it recognises its pepper by.
    pub pepper: PepperCommitment,
}

/// What is shown the keys and records of a store, in the order of the keys, until it breaks off.
pub type RecordVisitor<'a> = dyn FnMut(&[u8], Vec<u8>) -> ControlFlow<()> + 'a;
