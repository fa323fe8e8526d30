//! `docs/reference/errors.md`.

use super::REMEDY;
use crate::exit::{Exit, ExitSpec, exit_specs};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use voight_api::{Api, ErrorId, ErrorSpec, Retry};
use voight_support::assert_committed;

const HEAD: &str = "\
# Errors

Every error of the APIs has the same envelope. `id` is stable for each cause, `code` is for programs, and `message` is for
people and may be more specific than the one on this page.

```json
{\"success\": false, \"error\": {\"id\": \"m_l_e_1\", \"code\": \"INVALID_ADDRESS\", \"message\": \"…\"}}
```

[Log lines](log-events.md) of a rejected request contain the id of the error as `reason` and the request id, which the response has in the header
`x-request-id`. The codes that the component reports to its page are in the
[window protocol](window-protocol.md#4-error-codes-of-the-component). The command line reports errors as [exit codes](#exit-codes).

This page is generated from the error table (`VOIGHT_UPDATE=1 cargo test -p voight --lib reference`).

| id | code | HTTP status | API | retry |
|---|---|---|---|---|
";

const EXIT_HEAD: &str = "
## Exit codes

Every command exits with 0 if it succeeded. A failure is one line on standard error, or with `--json` an object:

```json
{\"error\": {\"exit\": 4, \"message\": \"…\"}}
```

| exit code | meaning | retry |
|---|---|---|
";

const fn name(api: Api) -> &'static str {
    match api {
        Api::Public => "public",
        Api::Admin => "admin",
        Api::Window => "window",
    }
}

fn names(apis: &[Api]) -> String {
    apis.iter()
        .map(|api| name(*api))
        .collect::<Vec<_>>()
        .join(", ")
}

const fn answer(retry: Retry) -> &'static str {
    match retry {
        Retry::No => "no",
        Retry::Yes => "yes",
        Retry::RetryAfter => "yes, after the seconds in `Retry-After`",
    }
}

fn row(
    ErrorSpec {
        status,
        code,
        id,
        apis,
        retry,
        ..
    }: ErrorSpec,
) -> String {
    format!(
        "| [`{id}`](#{id}) | `{code}` | {status} | {} | {} |\n",
        names(apis),
        answer(retry)
    )
}

fn section(
    ErrorSpec {
        status,
        code,
        id,
        message,
        cause,
        action,
        apis,
        retry,
    }: ErrorSpec,
) -> String {
    let mut section = format!(
        "\n### {id}\n\n`{code}`, HTTP status {status}, {} API: \"{message}\"\n\n",
        names(apis)
    );
    let _ = writeln!(
        section,
        "- Cause: {cause}\n- What to do: {action}\n- Retry: {}.",
        answer(retry)
    );
    if apis.contains(&Api::Admin) {
        let exit = Exit::of_status(status) as u8;
        let _ = writeln!(
            section,
            "- Exit code of a command that receives it: [{exit}](#exit-code-{exit})."
        );
    }
    section
}

fn exit_row(
    ExitSpec {
        code, word, retry, ..
    }: &ExitSpec,
) -> String {
    format!(
        "| [{code}](#exit-code-{code}) | {word} | {} |\n",
        answer(*retry)
    )
}

fn exit_section(
    ExitSpec {
        code,
        word,
        cause,
        action,
        retry,
    }: &ExitSpec,
) -> String {
    let retry = answer(*retry);
    format!(
        "\n### Exit code {code}\n\n- Meaning: {word}.\n- Cause: {cause}\n- What to do: {action}\n- Retry: {retry}.\n"
    )
}

fn page() -> String {
    let mut rows: Vec<_> = ErrorId::ALL.iter().map(|error| error.row()).collect();
    rows.sort_by_key(|row| row.id);
    let exits = exit_specs();
    let mut page = HEAD.to_owned();
    page.extend(rows.iter().copied().map(row));
    page.push_str("\n## Error ids\n");
    page.extend(rows.iter().copied().map(section));
    page.push_str(EXIT_HEAD);
    page.extend(exits.iter().map(exit_row));
    page.extend(exits.iter().map(exit_section));
    page
}

#[test]
fn the_committed_page_of_errors_is_the_generated_one() {
    assert_committed("docs/reference/errors.md", page(), REMEDY);
}

#[test]
fn every_error_and_exit_code_has_one_section_and_every_section_an_error_or_exit_code() {
    let page = page();
    let sections: Vec<_> = page
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .collect();
    let unique: BTreeSet<_> = sections
        .iter()
        .map(|section| (*section).to_owned())
        .collect();
    assert_eq!(unique.len(), sections.len(), "a section is repeated");
    let exits = [
        Exit::Failure,
        Exit::Usage,
        Exit::Configuration,
        Exit::NotFound,
        Exit::Unreachable,
    ];
    let exits = exits.map(|exit| format!("Exit code {}", exit as u8));
    let ids = ErrorId::ALL.iter().map(|error| error.row().id.to_owned());
    assert_eq!(unique, ids.chain(exits).collect());
}
