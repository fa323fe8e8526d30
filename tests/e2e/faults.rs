//! Failing disk and corrupt records under the real server. Other faults are tested by `voight-faults`.

mod damage;
mod failing_disk;
mod full_disk;
