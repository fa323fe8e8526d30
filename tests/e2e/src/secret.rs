//! Passwords of temporary servers.

use std::fs::File;
use std::io::{self, Read};

/// Returns a random password of 128 bits.
pub fn new() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn secrets_are_distinct() {
        assert_ne!(super::new().unwrap(), super::new().unwrap());
    }
}
