//! Reads a stream of events, and resumes it after a broken connection.

use super::server_sent::{Block, read_block};
use crate::exit::{CommandError, Exit};
use std::collections::{HashSet, VecDeque};
use std::io::{BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Time without a byte after which a connection counts as broken. The server sends a comment every 15 seconds.
const IDLE_TIMEOUT: Duration = Duration::from_mins(1);
/// Pause before the first attempt to resume. Each failed attempt doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Maximum pause between two attempts to resume.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// Number of blocks that are read before they are printed.
const BUFFERED_BLOCKS: usize = 64;
/// Number of the last events whose repetition is recognised. A resumed stream of all clients repeats those of a minute.
const RECENT_IDS: usize = 10_000;

/// End of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StreamEnd {
    /// The server ended the stream.
    Complete,
    /// The connection broke.
    Broken,
    /// The reader of the output has closed it.
    OutputClosed,
}

/// Message of the thread that reads a connection.
enum Message {
    Block(Block),
    End(StreamEnd),
}

/// Stream of events with its cursor.
pub(super) struct EventStream<C, P> {
    /// Opens a connection that continues after the cursor, if there is one.
    pub(super) connect: C,
    /// Waits before an attempt to resume.
    pub(super) pause: P,
    /// `true` to resume the stream when it ends.
    pub(super) is_following: bool,
    cursor: Option<String>,
    recent_ids: RecentIds,
}

/// Ids of the last printed events.
#[derive(Debug, Default)]
struct RecentIds {
    ids: HashSet<String>,
    order: VecDeque<String>,
}

impl<C, P, R> EventStream<C, P>
where
    C: FnMut(Option<&str>) -> Result<R, CommandError>,
    P: FnMut(Duration),
    R: Read + Send + 'static,
{
    /// Creates a stream that begins with the first event that `connect` returns.
    pub(super) fn new(connect: C, pause: P, is_following: bool) -> Self {
        Self {
            connect,
            pause,
            is_following,
            cursor: None,
            recent_ids: RecentIds::default(),
        }
    }

    /// Passes the data of each event to `print`, until the stream ends or `print` returns `false`.
    pub(super) fn run(
        &mut self,
        mut print: impl FnMut(&str) -> Result<bool, CommandError>,
    ) -> Result<(), CommandError> {
        let mut pause = FIRST_PAUSE;
        loop {
            let cursor_before = self.cursor.clone();
            match self.read_connection(&mut print) {
                Ok(StreamEnd::OutputClosed) => return Ok(()),
                Ok(StreamEnd::Complete) if !self.is_following => return Ok(()),
                Ok(StreamEnd::Broken) if !self.is_following => {
                    return Err(CommandError::internal(
                        "the server aborted the stream, or the connection broke, so later events are missing; run the command again \
                         when the server runs",
                    ));
                }
                Ok(_) => {}
                Err(failure) if self.can_resume(&failure) => {}
                Err(failure) => return Err(failure),
            }
            if self.cursor != cursor_before {
                pause = FIRST_PAUSE;
            }
            (self.pause)(pause);
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    /// Returns `true` for a failure after which a stream that has begun is resumed.
    fn can_resume(&self, failure: &CommandError) -> bool {
        self.is_following && self.cursor.is_some() && failure.exit == Exit::Unreachable
    }

    /// Reads one connection to its end.
    fn read_connection(
        &mut self,
        print: &mut impl FnMut(&str) -> Result<bool, CommandError>,
    ) -> Result<StreamEnd, CommandError> {
        let body = (self.connect)(self.cursor.as_deref())?;
        let messages = spawn_reader(body);
        loop {
            let block = match messages.recv_timeout(IDLE_TIMEOUT) {
                Ok(Message::Block(block)) => block,
                Ok(Message::End(end)) => return Ok(end),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Ok(StreamEnd::Broken);
                }
            };
            if !block.data.is_empty()
                && self.recent_ids.insert(event_id(&block.data)?)
                && !print(&block.data)?
            {
                return Ok(StreamEnd::OutputClosed);
            }
            if block.id.is_some() {
                self.cursor = block.id;
            }
        }
    }
}

impl RecentIds {
    /// Adds an id. Returns `false` if it is one of the recent ones.
    fn insert(&mut self, id: String) -> bool {
        if !self.ids.insert(id.clone()) {
            return false;
        }
        self.order.push_back(id);
        if self.order.len() > RECENT_IDS
            && let Some(oldest_id) = self.order.pop_front()
        {
            self.ids.remove(&oldest_id);
        }
        true
    }
}

/// Returns the id of an event, which is the same in every stream.
fn event_id(data: &str) -> Result<String, CommandError> {
    #[derive(serde::Deserialize)]
    struct Identified {
        id: String,
    }
    let event: Identified = serde_json::from_str(data).map_err(|error| {
        CommandError::internal(format!(
            "the server sent an event without an id ({error}); use a command line of the server's version"
        ))
    })?;
    Ok(event.id)
}

/// Reads a connection on a thread, so that a connection without bytes is recognised.
fn spawn_reader(body: impl Read + Send + 'static) -> Receiver<Message> {
    let (sender, receiver) = sync_channel(BUFFERED_BLOCKS);
    thread::spawn(move || read_messages(body, &sender));
    receiver
}

/// Sends each block of a connection, until it ends or the receiver is dropped.
fn read_messages(body: impl Read, sender: &SyncSender<Message>) {
    let mut lines = BufReader::new(body);
    loop {
        let message = match read_block(&mut lines) {
            Ok(Some(block)) => Message::Block(block),
            Ok(None) => Message::End(StreamEnd::Complete),
            Err(_) => Message::End(StreamEnd::Broken),
        };
        let is_end = matches!(message, Message::End(_));
        if sender.send(message).is_err() || is_end {
            return;
        }
    }
}

#[cfg(test)]
#[path = "stream/tests.rs"]
mod tests;
