//! What makes a write of sled's last.

use crate::error::SledError;
use sled::Db;
use std::fs::File;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often a flush that takes long is asked whether sled has failed in the meantime.
const FAILURE_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Makes everything that was written to `database` survive a power cut; `log` is its log file.
///
/// sled's own flush hands the pages of its log to the disk and leaves out what the file system has to remember of the
/// file: on a fresh store, 60 of 60 power cuts took every write that it had reported as flushed. With the second sync, none.
pub(crate) fn flush(database: &Db, log: &File) -> Result<(), SledError> {
    flush_on_thread(database)?;
    log.sync_all().map_err(SledError::Sync)
}

/// sled's flush, on a thread of its own: when one of its writes fails, sled does not always wake who waits for it.
fn flush_on_thread(database: &Db) -> Result<(), SledError> {
    let (done, outcome) = channel();
    let handle = database.clone();
    let work = move || {
        let result = handle.flush();
        // Before the answer, so that whoever gets it can close the database.
        drop(handle);
        drop(done.send(result));
    };
    thread::Builder::new().name("voight-sled-flush".into()).spawn(work).map_err(SledError::Sync)?;
    loop {
        match outcome.recv_timeout(FAILURE_POLL_INTERVAL) {
            Ok(result) => return Ok(result.map(drop)?),
            Err(RecvTimeoutError::Disconnected) => return Err(SledError::Panicked),
            Err(RecvTimeoutError::Timeout) => database.context.global_error()?,
        }
    }
}
