//! Machine: cores, disks and other load.

mod background_load;
mod cores;
mod disk;
mod process;
mod storage;

pub(crate) use background_load::BackgroundLoad;
pub(crate) use cores::Cores;
pub(crate) use disk::{LIMIT, syncs};
pub(crate) use process::{cpu_time, cpu_time_with_children, resident_mib};
pub(crate) use storage::StorageLocation;
