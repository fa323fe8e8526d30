//! A whole store as one ordered map: the tables, what keys are made of, and the records that only lead from one key to another.
//!
//! Stores on one machine are such a map, and so is every dump, whatever store it is of.

mod client;
mod evidence;
mod index;
mod key;
mod run;
mod table;

#[cfg(test)]
mod tests;

pub use client::{ClientTotal, Counts, NumberedClient};
pub use evidence::{EvidenceHead, EvidenceTotal};
pub use index::{
    Aged, ClaimEnd, ContextPlace, Due, InputOwner, KeyOwner, KeyPlace, NameOwner, SigningKeyNumber, Unsettled,
};
pub use key::{Piece, join, of_sortable, sortable, split};
pub use run::{ClaimByDigest, Run};
pub use table::{Part, Table, Tenant};
