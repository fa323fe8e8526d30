//! Timestamp in the file name of a dump.

use voight_domain::vocabulary::Timestamp;

/// Formats a time for a file name, in UTC with a resolution of seconds: `20261121T100000Z`.
pub fn timestamp_for_file_name(timestamp: Timestamp) -> String {
    let text = timestamp.to_string();
    let seconds = text.split(['.', 'Z']).next().unwrap_or_default();
    format!("{}Z", seconds.replace(['-', ':'], ""))
}

#[cfg(test)]
mod tests {
    use super::timestamp_for_file_name;

    #[test]
    fn file_name_has_no_colon() {
        for text in ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00.123Z"] {
            assert_eq!(
                timestamp_for_file_name(text.parse().unwrap()),
                "20261121T100000Z"
            );
        }
    }
}
