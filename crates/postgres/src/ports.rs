//! Implementations of the storage ports, one file for each port.

mod admin;
mod admin_tokens;
mod billing;
mod check;
mod check_counts;
mod endpoints;
mod erasure;
mod events;
mod evidence;
mod labels;
pub(super) mod links;
mod lookup;
mod maintenance;
mod receipts;
mod registry;
mod replay;
mod snapshots;
mod users;
