//! Signals to processes, and the user that runs them.

pub use rustix::process::Signal;

use rustix::process::{Pid, getuid, kill_process, kill_process_group};
use std::io;
use std::process::Child;

/// Sends a signal to the process with this id.
///
/// # Errors
///
/// The process does not exist, or belongs to another user.
pub fn send(signal: Signal, process: u32) -> io::Result<()> {
    let id = i32::try_from(process)
        .ok()
        .and_then(Pid::from_raw)
        .ok_or(io::ErrorKind::InvalidInput)?;
    Ok(kill_process(id, signal)?)
}

/// Kills a child that leads a process group, and its group, and waits for the child.
pub fn kill_group(child: &mut Child) {
    // A group that has ended by itself needs no signal.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.wait();
}

/// Returns `true` if this process runs as root.
pub fn is_root() -> bool {
    getuid().is_root()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Command, Stdio};

    #[test]
    fn group_is_killed_with_its_leader() {
        let mut command = Command::new("sh");
        command
            .args(["-c", "sleep 600 & wait"])
            .process_group(0)
            .stdout(Stdio::piped());
        let mut leader = command.spawn().unwrap();
        kill_group(&mut leader);
        assert_eq!(leader.wait().unwrap().signal(), Some(Signal::KILL.as_raw()));
        // The pipe ends with the last process that can write to it.
        assert_eq!(
            leader
                .stdout
                .take()
                .unwrap()
                .read_to_end(&mut Vec::new())
                .unwrap(),
            0
        );
    }

    #[test]
    fn signal_fails_for_a_missing_process() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        send(Signal::TERM, child.id()).unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::TERM.as_raw()));
        assert!(send(Signal::TERM, 0).is_err() && send(Signal::TERM, u32::MAX).is_err());
    }
}
