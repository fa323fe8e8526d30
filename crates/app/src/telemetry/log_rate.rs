//! Limits the log lines of a server, so that no caller fills the disk or hides other lines.

use std::collections::HashMap;
use std::fmt::{Debug, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// Period of the limits.
const WINDOW: Duration = Duration::from_secs(10);
/// Maximum number of lines of one kind in a window.
const LINES_PER_KIND: u64 = 50;
/// Maximum number of lines of the level `INFO` in a window, of all kinds together.
const INFO_LINES: u64 = 500;
/// Maximum number of kinds that are told apart by their reason.
const MAX_KINDS: usize = 256;
/// Maximum number of kinds that a report names.
const NAMED_KINDS: usize = 5;
/// Fields whose text is the reason of a rejection.
const REASONS: [&str; 2] = ["error", "reason"];

/// Limit on the lines of each kind, for the levels that are logged by default. Lines above it are counted, and reported in one
/// line for each window.
#[derive(Debug, Clone, Default)]
pub(super) struct LogRate(Arc<Mutex<LogWindow>>);

/// Lines of the current window.
#[derive(Debug, Default)]
struct LogWindow {
    info_lines: u64,
    kinds: HashMap<LineKind, LineCount>,
}

/// Kind of a line: where it is logged, and the digest of its reason.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct LineKind {
    callsite: Identifier,
    reason: u64,
}

/// Lines of one kind.
#[derive(Debug, Default)]
struct LineCount {
    written: u64,
    suppressed: u64,
    /// Message and reason of a suppressed line.
    name: String,
}

impl LogRate {
    /// Creates a limit whose windows end by themselves.
    ///
    /// # Errors
    ///
    /// Fails if the thread that ends them cannot be started.
    pub(super) fn start() -> io::Result<Self> {
        let log_rate = Self::default();
        let windows = log_rate.clone();
        thread::Builder::new()
            .name("log rate".to_owned())
            .spawn(move || {
                loop {
                    thread::sleep(WINDOW);
                    windows.end_window();
                }
            })?;
        Ok(log_rate)
    }

    /// Reports the lines that were suppressed, and starts the next window.
    fn end_window(&self) {
        let kinds = mem::take(&mut *self.lock()).kinds;
        let mut counts: Vec<_> = kinds
            .into_values()
            .filter(|count| count.suppressed > 0)
            .collect();
        counts.sort_unstable_by_key(|count| u64::MAX - count.suppressed);
        let lines: u64 = counts.iter().map(|count| count.suppressed).sum();
        let names: Vec<_> = counts
            .iter()
            .take(NAMED_KINDS)
            .map(|count| format!("{} ({})", count.name, count.suppressed))
            .collect();
        if lines > 0 {
            tracing::warn!(
                event = "log_lines_suppressed",
                lines,
                most = names.join(", "),
                "log lines of the last 10 seconds were suppressed"
            );
        }
    }

    fn lock(&self) -> MutexGuard<'_, LogWindow> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogWindow {
    /// Counts a line. Returns `false` if it is to be suppressed.
    fn count(&mut self, mut kind: LineKind, event: &Event<'_>) -> bool {
        if self.kinds.len() >= MAX_KINDS && !self.kinds.contains_key(&kind) {
            kind.reason = 0;
        }
        let count = self.kinds.entry(kind).or_default();
        let is_info = *event.metadata().level() == Level::INFO;
        if count.written < LINES_PER_KIND && (!is_info || self.info_lines < INFO_LINES) {
            count.written += 1;
            self.info_lines += u64::from(is_info);
            return true;
        }
        if count.suppressed == 0 {
            event.record(&mut LineName(&mut count.name));
        }
        count.suppressed += 1;
        false
    }
}

impl<S: Subscriber> Layer<S> for LogRate {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        // An operator who asks for more levels asks for each of their lines.
        if *event.metadata().level() > Level::INFO {
            return true;
        }
        let mut reason = ReasonDigest::default();
        event.record(&mut reason);
        let kind = LineKind {
            callsite: event.metadata().callsite(),
            reason: reason.0.finish(),
        };
        self.lock().count(kind, event)
    }
}

/// Digest of the reason of a line.
#[derive(Default)]
struct ReasonDigest(DefaultHasher);

impl Visit for ReasonDigest {
    fn record_str(&mut self, field: &Field, value: &str) {
        if REASONS.contains(&field.name()) {
            value.hash(&mut self.0);
        }
    }

    // Only static texts are reasons: other values may be of any number.
    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// Message and reason of a line.
struct LineName<'a>(&'a mut String);

impl Visit for LineName<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if REASONS.contains(&field.name()) {
            self.record_debug(field, &format_args!("{value}"));
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" || REASONS.contains(&field.name()) {
            let space = if self.0.is_empty() { "" } else { " " };
            let _ = write!(self.0, "{space}{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::fmt::{self, MakeWriter};
    use tracing_subscriber::layer::SubscriberExt;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl MakeWriter<'_> for Written {
        type Writer = Self;

        fn make_writer(&self) -> Self {
            self.clone()
        }
    }

    /// Returns the lines that `log` writes with this limit.
    fn lines(log_rate: &LogRate, log: impl FnOnce()) -> Vec<String> {
        let log_output = Written::default();
        let lines = fmt::layer()
            .with_writer(log_output.clone())
            .with_ansi(false)
            .without_time();
        let subscriber = tracing_subscriber::registry()
            .with(log_rate.clone())
            .with(lines);
        tracing::subscriber::with_default(subscriber, log);
        let text = String::from_utf8(log_output.0.lock().unwrap().clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn reject(error: &str) {
        tracing::info!(status = 401, error, "rejected");
    }

    #[test]
    fn flood_of_one_kind_hides_no_other_kind() {
        let log_rate = LogRate::default();
        let lines = lines(&log_rate, || {
            for _ in 0..100_000 {
                reject("m_a_k_1");
            }
            reject("m_a_s_1");
            tracing::warn!("another line");
        });
        let count = |word: &str| lines.iter().filter(|line| line.contains(word)).count();
        assert_eq!(
            [count("m_a_k_1"), count("m_a_s_1"), count("another line")],
            [50, 1, 1]
        );
    }

    #[test]
    fn suppressed_lines_are_counted_once() {
        let log_rate = LogRate::default();
        let log_lines = lines(&log_rate, || {
            (0..60).for_each(|_| reject("m_a_k_1"));
            (0..53).for_each(|_| reject("m_a_s_1"));
            log_rate.end_window();
            log_rate.end_window();
            reject("m_a_k_1");
        });
        let [.., report, after] = &*log_lines else {
            panic!("{log_lines:?}")
        };
        for word in [
            "WARN",
            "suppressed",
            "lines=13",
            "rejected m_a_k_1 (10), rejected m_a_s_1 (3)",
        ] {
            assert!(report.contains(word), "{word} is missing: {report}");
        }
        assert!(after.contains("m_a_k_1"), "a new window: {after}");
        assert_eq!(log_lines.len(), 102);
    }

    #[test]
    fn lines_of_all_kinds_are_limited_together() {
        let log_rate = LogRate::default();
        let lines = lines(&log_rate, || {
            for reason in 0..10_000 {
                reject(&reason.to_string());
                reject(&reason.to_string());
            }
            tracing::error!("the store is damaged");
            (0..10_000).for_each(|number| tracing::debug!(number, "asked for"));
        });
        assert_eq!(lines.len() as u64, INFO_LINES + 1 + 10_000);
        assert!(
            log_rate.lock().kinds.len() <= MAX_KINDS + 2,
            "memory is bounded"
        );
    }
}
