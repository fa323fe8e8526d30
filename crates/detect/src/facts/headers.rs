//! Request headers.

/// Request headers of one call that describe the browser; names are in lower case.
pub(crate) struct Headers(Vec<(String, String)>);

impl Headers {
    pub(crate) fn new(pairs: &[(String, String)]) -> Self {
        Self(pairs.to_vec())
    }

    /// Returns the value of a header, if it was sent.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns `true` if the origin is one that browsers trust with client hints and Fetch-Metadata.
    ///
    /// These are TLS and loopback origins. `None` if the origin is not known.
    pub(crate) fn trustworthy(&self) -> Option<bool> {
        let origin = self.get("origin")?;
        let host = origin.strip_prefix("http://").map(|authority| {
            authority
                .rsplit_once(':')
                .map_or(authority, |(host, _)| host)
        });
        let loopback = |host: &str| {
            ["localhost", "[::1]"].contains(&host)
                || host.starts_with("127.")
                || host.ends_with(".localhost")
        };
        Some(origin.starts_with("https://") || host.is_some_and(loopback))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_trusted_like_tls() {
        let of = |origin: &str| Headers::new(&[("origin".into(), origin.into())]).trustworthy();
        for origin in [
            "https://a.example",
            "http://localhost:8700",
            "http://127.0.0.1",
            "http://[::1]:80",
        ] {
            assert_eq!(of(origin), Some(true), "{origin}");
        }
        assert_eq!(of("http://a.example:8700"), Some(false));
        assert_eq!(Headers::new(&[]).trustworthy(), None);
    }
}
