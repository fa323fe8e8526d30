//! Failing disk and corrupt records under the real server. Other faults are tested by `voight-faults`.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "faults/damage.rs"]
mod damage;
#[path = "faults/failing_disk.rs"]
mod failing_disk;
