//! Private session bus, on which the accessibility bus starts on demand.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Environment variable with the address of the session bus.
const VARIABLE: &str = "DBUS_SESSION_BUS_ADDRESS";

/// Running bus; stopped when dropped.
pub(super) struct Bus {
    process: Child,
    address: String,
}

impl Bus {
    /// Starts a bus.
    pub(super) fn start() -> Self {
        let mut command = Command::new("dbus-daemon");
        command
            .args(["--session", "--nofork", "--print-address"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command
            .spawn()
            .unwrap_or_else(|error| panic!("dbus-daemon does not start: {error}"));
        let mut address = String::new();
        if let Some(output) = process.stdout.take() {
            let _ = BufReader::new(output).read_line(&mut address);
        }
        Self {
            process,
            address: address.trim().to_owned(),
        }
    }

    /// Passes the address of the bus to a program, and enables accessibility.
    pub(super) fn configure(&self, command: &mut Command) {
        command
            .env(VARIABLE, &self.address)
            .env("ACCESSIBILITY_ENABLED", "1");
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
