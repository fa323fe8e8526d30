use super::*;
use std::cell::RefCell;
use std::io;

/// Connection: its bytes, and then an error or the end.
struct Connection {
    bytes: io::Cursor<Vec<u8>>,
    is_broken: bool,
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.bytes.read(buffer) {
            Ok(0) if self.is_broken => Err(io::ErrorKind::ConnectionReset.into()),
            read_result => read_result,
        }
    }
}

impl Connection {
    fn new(text: &str, is_broken: bool) -> Self {
        Self {
            bytes: io::Cursor::new(text.as_bytes().to_vec()),
            is_broken,
        }
    }
}

fn event(number: u32) -> String {
    format!("id: c-{number}\ndata: {{\"id\":\"a-{number}\"}}\n\n")
}

/// Result of a stream over these connections, and what it did.
struct Outcome {
    result: Result<(), CommandError>,
    printed: Vec<String>,
    cursors: Vec<Option<String>>,
    pauses: Vec<u64>,
}

/// Runs a stream over these connections. Ends it after `print_limit` events.
fn run(
    connections: Vec<Result<Connection, CommandError>>,
    is_following: bool,
    print_limit: usize,
) -> Outcome {
    let mut connections = connections.into_iter();
    let cursors = RefCell::new(Vec::new());
    let pauses = RefCell::new(Vec::new());
    let connect = |cursor: Option<&str>| {
        cursors.borrow_mut().push(cursor.map(str::to_owned));
        let no_connection = || Err(CommandError::internal("no further connection"));
        connections.next().unwrap_or_else(no_connection)
    };
    let pause = |span: Duration| pauses.borrow_mut().push(span.as_secs());
    let mut printed = Vec::new();
    let result = EventStream::new(connect, pause, is_following).run(|data| {
        printed.push(event_id(data)?);
        Ok(printed.len() < print_limit)
    });
    Outcome {
        result,
        printed,
        cursors: cursors.take(),
        pauses: pauses.take(),
    }
}

#[test]
fn stream_without_follow_ends_with_its_connection() {
    let text = event(1) + &event(2);
    let outcome = run(vec![Ok(Connection::new(&text, false))], false, 9);
    assert_eq!(outcome.result, Ok(()));
    assert_eq!(outcome.printed, ["a-1", "a-2"]);
    let outcome = run(vec![Ok(Connection::new(&text, true))], false, 9);
    let failure = outcome.result.unwrap_err();
    assert_eq!(failure.exit, Exit::Failure);
    assert!(failure.message.contains("later events are missing"));
}

#[test]
fn broken_connection_is_resumed_after_the_last_event() {
    let half_event = "id: c-3\ndata: {\"id\":\"a-3\"}\n";
    let first = ": begin\nid: c-0\n\n".to_owned() + &event(1) + half_event;
    let second = event(2) + &event(3);
    let outcome = run(
        vec![
            Ok(Connection::new(&first, true)),
            Ok(Connection::new(&second, false)),
        ],
        true,
        3,
    );
    assert_eq!(outcome.result, Ok(()));
    assert_eq!(outcome.printed, ["a-1", "a-2", "a-3"]);
    assert_eq!(outcome.cursors, [None, Some("c-1".to_owned())]);
    assert_eq!(outcome.pauses, [1]);
}

#[test]
fn stream_without_events_is_resumed_at_its_start() {
    let begin = ": begin\nid: c-0\n\n";
    let outcome = run(
        vec![
            Ok(Connection::new(begin, true)),
            Ok(Connection::new(&event(1), false)),
        ],
        true,
        1,
    );
    assert_eq!(outcome.cursors, [None, Some("c-0".to_owned())]);
    assert_eq!(outcome.printed, ["a-1"]);
}

#[test]
fn repeated_events_are_printed_once() {
    let second = event(1) + &event(2) + &event(3);
    let outcome = run(
        vec![
            Ok(Connection::new(&(event(1) + &event(2)), true)),
            Ok(Connection::new(&second, false)),
        ],
        true,
        3,
    );
    assert_eq!(outcome.printed, ["a-1", "a-2", "a-3"]);
}

#[test]
fn pauses_grow_while_the_server_is_down() {
    let down = || Err(CommandError::unreachable("down"));
    let mut connections = vec![Ok(Connection::new(&event(1), true))];
    connections.extend((0..6).map(|_| down()));
    connections.push(Ok(Connection::new(&event(2), true)));
    connections.push(Ok(Connection::new(&event(3), false)));
    let outcome = run(connections, true, 3);
    assert_eq!(outcome.result, Ok(()));
    assert_eq!(outcome.pauses, [1, 2, 4, 8, 16, 30, 30, 1]);
}

#[test]
fn permanent_failure_ends_the_stream() {
    let revoked = CommandError::configuration("the token was revoked");
    let outcome = run(
        vec![Ok(Connection::new(&event(1), true)), Err(revoked.clone())],
        true,
        9,
    );
    assert_eq!(outcome.result, Err(revoked));
    let down = CommandError::unreachable("down");
    let outcome = run(vec![Err(down.clone())], true, 9);
    assert_eq!(outcome.result, Err(down), "the stream has not begun");
}

#[test]
fn recent_ids_are_bounded() {
    let mut recent_ids = RecentIds::default();
    for number in 0..=RECENT_IDS {
        assert!(recent_ids.insert(number.to_string()));
    }
    assert_eq!(recent_ids.ids.len(), RECENT_IDS);
    assert!(!recent_ids.insert("1".to_owned()));
    assert!(recent_ids.insert("0".to_owned()));
}
