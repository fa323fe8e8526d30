//! Points in time on the command line.

use voight_domain::Timestamp;

const DATE_LENGTH: usize = "2027-01-01".len();

/// Parses an RFC 3339 time, or a date, which stands for its first instant in UTC.
pub(super) fn parse_instant(text: &str) -> Result<Timestamp, &'static str> {
    let midnight = if text.len() == DATE_LENGTH {
        "T00:00:00Z"
    } else {
        ""
    };
    let timestamp = format!("{text}{midnight}").parse();
    timestamp
        .map_err(|_| "write a date (UTC) such as 2027-01-01 or a time such as 2027-01-01T00:00:00Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_its_first_instant() {
        let instant = |text| parse_instant(text).map(|instant| instant.to_string());
        assert_eq!(instant("2027-01-01"), Ok("2027-01-01T00:00:00Z".into()));
        assert_eq!(
            instant("2027-01-01T10:00:00+02:00"),
            Ok("2027-01-01T08:00:00Z".into())
        );
        for text in [
            "",
            "tomorrow",
            "2027-13-01",
            "2027-02-30",
            "01.01.2027",
            "2027-1-1",
        ] {
            assert!(instant(text).is_err(), "{text}");
        }
    }
}
