//! Pages, one file each.

pub(crate) mod audit;
pub(crate) mod client;
pub(crate) mod clients;
pub(crate) mod context;
pub(crate) mod contexts;
pub(crate) mod invoice;
pub(crate) mod overview;
pub(crate) mod people;
pub(crate) mod protect;
pub(crate) mod search;
pub(crate) mod sign_in;
pub(crate) mod system;
pub(crate) mod usage;
pub(crate) mod verdict;
pub(crate) mod verdicts;
