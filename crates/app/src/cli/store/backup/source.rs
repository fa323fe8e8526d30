//! Source of a backup: a running server, or the files of a store.

use super::super::target;
use crate::admin_client::AdminClient;
use crate::cli::file::TrackedWriter;
use crate::cli::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use crate::wiring::{self, BackupSummary, StoreUrl, read_backup};
use std::io::{BufReader, Read, Write};
use voight_api::admin::routes::DUMP_STORE;

/// Size of the read buffer for the server's response, in bytes.
const BUFFER: usize = 64 << 10;

/// Source of a backup.
pub(super) enum Source {
    /// Store of a running server.
    Server(AdminClient),
    /// Store without a running server.
    Files(StoreUrl),
}

impl Source {
    /// Returns the named store; else the store of the running server; else that of the data directory.
    pub(super) fn resolve(invocation: &Invocation, named: Option<StoreUrl>) -> Result<Self, CommandError> {
        if named.is_some() && invocation.globals.server.is_some() {
            let sentence = "a named store is backed up without a server: omit the store, or --server";
            return Err(CommandError::new(Exit::Usage, sentence));
        }
        if named.is_none()
            && let Some(client) = invocation.server()?
        {
            return Ok(Self::Server(client));
        }
        target::resolve(invocation, named).map(Self::Files)
    }

    /// Writes the backup to `sink`; returns its summary.
    pub(super) fn send<W: Write>(
        &self,
        invocation: &Invocation,
        sink: &mut TrackedWriter<'_, W>,
    ) -> Result<BackupSummary, CommandError> {
        let sent = match self {
            Self::Server(client) => relay(client, sink),
            Self::Files(url) => wiring::dump(url, sink).map_err(|failure| target::explain(invocation, url, failure)),
        };
        let flushed = sink.flush();
        match (sent, flushed) {
            (Ok(sent), Ok(())) => Ok(sent),
            (Err(other), _) => Err(sink.failure_or(|| other)),
            (_, Err(error)) => Err(sink.failure_or(|| CommandError::internal(error.to_string()))),
        }
    }
}

/// Streams the server's backup and verifies it on the way, which detects a truncated response.
fn relay(client: &AdminClient, sink: &mut impl Write) -> Result<BackupSummary, CommandError> {
    let body = client.download(&DUMP_STORE.call([]))?;
    let read = read_backup(BufReader::with_capacity(BUFFER, Passing { body, sink }));
    read.map_err(|error| {
        CommandError::internal(if error.is_incomplete {
            "the server aborted the backup, and it is discarded; its log has the reason".to_owned()
        } else {
            format!("the backup that the server sent is invalid: {}", error.message)
        })
    })
}

/// Reader that copies the bytes it reads to a writer.
struct Passing<R, W> {
    body: R,
    sink: W,
}

impl<R: Read, W: Write> Read for Passing<R, W> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let read = self.body.read(bytes)?;
        self.sink.write_all(&bytes[..read])?;
        Ok(read)
    }
}
