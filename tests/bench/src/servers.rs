//! Servers under test: the service, its baseline and its peers, as processes.

mod baseline;
mod batches;
mod ledger;
mod lookups;
mod metered;
mod nginx;
mod nodes;
mod peer;
mod program;
mod service;
mod snapshots;
mod visitor;

pub(crate) use baseline::{Baseline, STATIC};
pub(crate) use batches::{BATCH_SIZE, BatchClient};
pub(crate) use ledger::ExpectedLedger;
pub(crate) use lookups::{LoadShape, LookupClient};
pub(crate) use metered::BillableServer;
pub(crate) use nginx::Nginx;
pub(crate) use nodes::Nodes;
pub(crate) use peer::{Database, Needs, PEERS, Peer, PeerKind};
pub(crate) use service::Service;
pub(crate) use snapshots::SnapshotClient;
pub(crate) use visitor::Visitor;
