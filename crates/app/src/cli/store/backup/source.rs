//! Source of a backup: a running server, or the files of a store.

use super::super::{failure, target};
use crate::admin_client::AdminClient;
use crate::cli::file::TrackedWriter;
use crate::cli::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use crate::store_url::StoreUrl;
use crate::wiring::OfflineTask;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use voight_api::admin::routes::DUMP_STORE;
use voight_embedded::{DumpError, DumpSummary, Identity, PersistentEngine, dump_store, read_dump};

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

    /// Writes the backup to `sink`; returns the identity of the store and the summary of its content.
    pub(super) fn send<W: Write>(
        &self,
        invocation: &Invocation,
        sink: &mut TrackedWriter<'_, W>,
    ) -> Result<(Identity, DumpSummary), CommandError> {
        let sent = match self {
            Self::Server(client) => relay(client, sink),
            Self::Files(url) => target::run_offline(invocation, url, DumpWork(sink)),
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
fn relay(client: &AdminClient, sink: &mut impl Write) -> Result<(Identity, DumpSummary), CommandError> {
    let body = client.download(&DUMP_STORE.call([]))?;
    let read = read_dump(BufReader::with_capacity(BUFFER, Passing { body, sink }));
    read.map_err(|error| match error {
        DumpError::Truncated | DumpError::NotADump | DumpError::Io(_) => {
            CommandError::internal("the server aborted the backup, and it is discarded; its log has the reason")
        }
        error => CommandError::internal(format!("the backup that the server sent is invalid: {error}")),
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

struct DumpWork<'a, W>(&'a mut W);

impl<W: Write> OfflineTask for DumpWork<'_, W> {
    type Output = (Identity, DumpSummary);

    fn run_on_engine<E: PersistentEngine>(self, path: &Path) -> Result<Self::Output, CommandError> {
        dump_store::<E>(path, self.0).map_err(|error| failure(&error, &path.display().to_string()))
    }
}
