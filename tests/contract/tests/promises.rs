//! Tests that each documented promise of the ports has a case of its name, and each case a promise.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

#[test]
fn promises_and_cases_have_equal_names() {
    let promises = promises().unwrap();
    assert!(
        promises.contains("answer_is_atomic"),
        "too few promises were parsed: {promises:?}"
    );
    let names: Vec<_> = voight_contract::case_names().collect();
    let cases: BTreeSet<_> = names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have the same name");
    let without_case: Vec<_> = promises.difference(&cases).collect();
    let without_promise: Vec<_> = cases.difference(&promises).collect();
    assert!(
        without_case.is_empty(),
        "promises without a case: {without_case:?}"
    );
    assert!(
        without_promise.is_empty(),
        "cases without a promise in the ports: {without_promise:?}"
    );
}

/// Returns the promises of all ports.
fn promises() -> io::Result<BTreeSet<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/domain/src");
    let mut promises = promises_in(&fs::read_to_string(source.join("ports.rs"))?);
    for port in fs::read_dir(source.join("ports"))? {
        promises.extend(promises_in(&fs::read_to_string(port?.path())?));
    }
    Ok(promises.into_iter().collect())
}

/// Returns the promises in a source file: names in code style with a colon, in documentation comments.
fn promises_in(source: &str) -> Vec<String> {
    let docs = source
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with("///") || line.starts_with("//!"));
    let pieces = docs.flat_map(|line| {
        let pieces: Vec<_> = line.split('`').collect();
        pieces
            .windows(2)
            .skip(1)
            .step_by(2)
            .filter(|pair| pair[1].starts_with(':'))
            .map(|pair| pair[0])
            .collect::<Vec<_>>()
    });
    pieces
        .filter(|name| is_name(name))
        .map(str::to_owned)
        .collect()
}

fn is_name(text: &str) -> bool {
    text.contains('_')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[test]
fn promise_is_parsed_from_its_name() {
    let docs = "/// Keeps `x_y`. `first_one`: so, and `no_promise`, and\n//! - `second_one`: `third_one`: so\n// `not_a_doc`: no";
    assert_eq!(promises_in(docs), ["first_one", "second_one", "third_one"]);
}
