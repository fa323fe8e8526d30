//! Differential test of lookups: generated requests, sent as raw bytes, are answered as recorded.
//!
//! Each group of requests has an app of its own. `digests.txt` has a line for each group: the digest of its answers with their
//! log lines and metrics, the digest of the chain heads in them, and a hexadecimal digit for each request, which is the first of
//! the digest of all answers so far. `VOIGHT_UPDATE=1` records all groups, and `VOIGHT_ANSWERS=DIR` writes every request with its
//! answer to `DIR/GROUP.txt`.
//!
//! Three values are random or external and are replaced: the `Date` of actix-http, the order of header names, which actix-http
//! takes from a randomly seeded map, and generated request ids.

mod connection;
mod exchange;
mod requests;
mod world;

use actix_web::rt::System;
use exchange::Exchange;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::thread;
use voight_support::tier::volume;
use voight_support::{assert_committed, is_update};

/// Number of requests of a group.
const GROUP: usize = 1_000;
/// Number of recorded groups.
const GROUPS: u64 = 100;
/// Number of threads that answer groups.
const THREADS: usize = 10;
const RECORD: &str = "crates/http/tests/it/recorded_answers/digests.txt";

#[test]
fn generated_requests_are_answered_as_recorded() {
    let groups = if is_update() {
        GROUPS
    } else {
        volume(10, GROUPS)
    };
    // Threads, since connections that the server closes wait up to a second for the client.
    let lines: Vec<_> = thread::scope(|scope| {
        let answer = |thread| {
            (thread..groups)
                .step_by(THREADS)
                .map(answer)
                .collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..THREADS as u64)
            .map(|thread| scope.spawn(move || answer(thread)))
            .collect();
        let mut lines: Vec<_> = threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect();
        lines.sort_unstable_by_key(|(group, _)| *group);
        lines.into_iter().map(|(_, line)| line + "\n").collect()
    });
    if is_update() {
        assert_committed(RECORD, lines.concat(), "run the test with VOIGHT_UPDATE=1");
    }
}

/// Answers a group, compares it with the record unless that is updated, and returns its line.
fn answer(group: u64) -> (u64, String) {
    let exchanges = System::new().block_on(world::answer_group(group));
    assert_eq!(exchanges.len(), GROUP);
    if let Some(dir) = env::var_os("VOIGHT_ANSWERS") {
        fs::write(
            PathBuf::from(dir).join(format!("{group}.txt")),
            exchange::text(&exchanges),
        )
        .unwrap();
    }
    let line = digest(&exchanges);
    if !is_update() {
        let mut recorded_lines = include_str!("recorded_answers/digests.txt").lines();
        compare(
            group,
            &exchanges,
            &line,
            recorded_lines
                .nth(usize::try_from(group).unwrap())
                .unwrap_or_default(),
        );
    }
    (group, line)
}

/// Returns the line of a group in the record.
fn digest(exchanges: &[Exchange]) -> String {
    let mut answers = blake3::Hasher::new();
    let mut heads = blake3::Hasher::new();
    let mut trail = String::new();
    for Exchange { answer, head, .. } in exchanges {
        answers
            .update(&answer.len().to_be_bytes())
            .update(answer.as_bytes());
        heads.update(head.as_bytes());
        write!(trail, "{:x}", answers.finalize().as_bytes()[0] >> 4).unwrap();
    }
    format!("{} {} {trail}", answers.finalize(), heads.finalize())
}

/// Fails at the first request whose answer differs from the record.
#[track_caller]
fn compare(group: u64, exchanges: &[Exchange], line: &str, recorded: &str) {
    if line == recorded {
        return;
    }
    let trails = [line, recorded].map(|line| line.rsplit(' ').next().unwrap_or_default());
    let first = trails[0]
        .bytes()
        .zip(trails[1].bytes())
        .position(|(now, before)| now != before);
    let advice = format!(
        "To see both answers, run this test with VOIGHT_ANSWERS=DIR here and at the commit that recorded them, and compare \
         the files {group}.txt"
    );
    let Some(first) = first else {
        panic!(
            "group {group}: no answer differs except in a chain head, a log line or a metric. {advice}"
        );
    };
    let Exchange {
        request, answer, ..
    } = &exchanges[first];
    // A digit is equal by chance in one of 16 cases.
    panic!(
        "group {group}: request {first} (or one shortly before) is answered differently.\n{}\n\nis answered\n\n{answer}\n\n{advice}",
        request.escape_ascii()
    );
}
