//! Errors of the public API, from the table in docs/reference/errors.md.

use anyhow::{Context, Result, ensure};

/// Error that the public API can answer with.
pub(super) struct ApiError {
    pub(super) id: String,
    /// Code in lower case, as the SDKs report it.
    pub(super) code: String,
    /// `true` if the same request can succeed later.
    pub(super) is_retryable: bool,
}

/// Returns the errors of the public API in the order of the table.
pub(super) fn parse(page: &str) -> Result<Vec<ApiError>> {
    let rows = page.lines().filter(|line| line.starts_with("| [`m_"));
    let mut errors = Vec::new();
    for row in rows {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [id, code, _, api, retry] = cells[..] else {
            anyhow::bail!("a row has other columns: {row}")
        };
        if !api.split(", ").any(|name| name == "public") {
            continue;
        }
        let quoted_name = |cell: &str| {
            cell.split('`')
                .nth(1)
                .map(str::to_owned)
                .context("a cell without a name")
        };
        let is_retryable = retry.starts_with("yes");
        ensure!(
            is_retryable || retry == "no",
            "an unknown value of the column retry: {retry}"
        );
        errors.push(ApiError {
            id: quoted_name(id)?,
            code: quoted_name(code)?.to_lowercase(),
            is_retryable,
        });
    }
    ensure!(
        !errors.is_empty(),
        "the table has no error of the public API"
    );
    Ok(errors)
}

#[cfg(test)]
mod tests {
    use super::parse;

    const PAGE: &str = "\
| id | code | HTTP status | API | retry |
|---|---|---|---|---|
| [`m_g_r_1`](#m_g_r_1) | `RATE_LIMITED` | 429 | public, admin | yes, after the seconds in `Retry-After` |
| [`m_a_t_1`](#m_a_t_1) | `UNAUTHORIZED` | 401 | admin | no |
| [`m_s_c_1`](#m_s_c_1) | `SNAPSHOT_CONFLICT` | 409 | public | no |
";

    #[test]
    fn the_errors_of_the_public_api_are_listed() {
        let errors = parse(PAGE).unwrap();
        let error_rows: Vec<_> = errors
            .iter()
            .map(|error| (&*error.id, &*error.code, error.is_retryable))
            .collect();
        assert_eq!(
            error_rows,
            [
                ("m_g_r_1", "rate_limited", true),
                ("m_s_c_1", "snapshot_conflict", false)
            ]
        );
    }

    #[test]
    fn page_without_table_is_rejected() {
        assert!(parse("# Errors").is_err());
        assert!(parse(&PAGE.replace("| no |", "| perhaps |")).is_err());
    }
}
