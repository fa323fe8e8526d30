//! Log of the thread of a test.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tracing::subscriber::{DefaultGuard, NoSubscriber, set_default};
use tracing::{Dispatch, Level};

/// Captures the log of this thread.
pub(crate) struct CapturedLog {
    buffer: Buffer,
    guard: DefaultGuard,
    /// Keeps a second subscriber registered. With only one, the thread that reaches a log statement first disables it for
    /// all threads if it has no subscriber itself, and other tests run on such threads.
    _second: Dispatch,
}

impl CapturedLog {
    /// Starts to capture events of this level and above.
    pub(crate) fn start(level: Level) -> Self {
        let second = Dispatch::new(NoSubscriber::default());
        let buffer = Buffer::default();
        let writer = buffer.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_ansi(false);
        let guard = set_default(subscriber.with_writer(move || writer.clone()).finish());
        Self {
            buffer,
            guard,
            _second: second,
        }
    }

    /// Ends the capture and returns the text of the log.
    pub(crate) fn finish(self) -> String {
        drop(self.guard);
        self.buffer.take()
    }

    /// Returns the text of the log since the start or the previous call.
    pub(crate) fn take(&self) -> String {
        self.buffer.take()
    }
}

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Buffer {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
