//! A disk that fails and records that rot, under the real server. What else is broken, `voight-torture` breaks.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "faults/damage.rs"]
mod damage;
#[path = "faults/failing_disk.rs"]
mod failing_disk;
