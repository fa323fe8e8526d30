//! Paths of the admin API.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;

/// Every character but the unreserved ones of RFC 3986, section 2.3.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path below `/admin/v1`, with its parameters; whatever is put in is encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path(String);

impl Path {
    /// The path of these segments.
    pub(crate) fn from_segments<const N: usize>(segments: [&str; N]) -> Self {
        let mut path = "/admin/v1".to_owned();
        for segment in segments {
            path.push('/');
            path.extend(utf8_percent_encode(segment, RESERVED));
        }
        Self(path)
    }

    /// The path with one more parameter, if it has a value.
    #[must_use]
    pub(crate) fn with_query(mut self, name: &str, value: Option<&str>) -> Self {
        if let Some(value) = value {
            self.0.push(if self.0.contains('?') { '&' } else { '?' });
            self.0.push_str(name);
            self.0.push('=');
            self.0.extend(utf8_percent_encode(value, RESERVED));
        }
        self
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_segment() {
        let path =
            Path::from_segments(["clients", "a/../b c?é"]).with_query("after", Some("x&y")).with_query("limit", None);
        assert_eq!(path.to_string(), "/admin/v1/clients/a%2F..%2Fb%20c%3F%C3%A9?after=x%26y");
    }
}
