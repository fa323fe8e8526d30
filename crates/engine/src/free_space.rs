//! Free space of a file system.

use std::io;
use std::path::Path;

/// Returns `true` if at least `bytes` are free on the file system of the existing `path`. Quotas are not considered.
pub fn has_free_space(path: &Path, bytes: u64) -> io::Result<bool> {
    Ok(free_bytes(path)? >= bytes)
}

/// Returns the number of free bytes on the file system of the existing `path`.
pub fn free_bytes(path: &Path) -> io::Result<u64> {
    let statistics = rustix::fs::statvfs(path)?;
    Ok(statistics.f_bavail.saturating_mul(statistics.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_finite() {
        let directory = std::env::temp_dir();
        assert!(has_free_space(&directory, 0).unwrap());
        assert!(!has_free_space(&directory, u64::MAX).unwrap());
        assert!(has_free_space(Path::new("/gone/for/good"), 0).is_err());
    }
}
