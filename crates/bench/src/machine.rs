//! The machine: its cores, its disks, and who else is at work.

mod busy;
mod cores;
mod disk;
mod place;
mod process;

pub(crate) use busy::BackgroundLoad;
pub(crate) use cores::Cores;
pub(crate) use disk::{LIMIT, syncs};
pub(crate) use place::StorageLocation;
pub(crate) use process::{cpu_time, cpu_time_with_children, resident_mib};
