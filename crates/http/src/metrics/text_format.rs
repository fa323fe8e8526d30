//! Text formats of the metrics, and the choice between them.

use actix_web::HttpMessage;
use actix_web::http::header::{Accept, Quality};

/// Media type of the OpenMetrics format, without parameters.
const OPEN_METRICS: &str = "application/openmetrics-text";
/// Versions of the OpenMetrics format that a scraper may name. The text is valid in each.
const OPEN_METRICS_VERSIONS: [&str; 2] = ["1.0.0", "0.0.1"];
/// Ranges of media types that contain the classic format, each before the ranges that contain it.
const CLASSIC_RANGES: [&str; 3] = ["text/plain", "text/*", "*/*"];

/// Text format of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFormat {
    /// Text format of Prometheus, version 0.0.4.
    Classic,
    /// `OpenMetrics`, version 1.0.0.
    OpenMetrics,
}

impl TextFormat {
    /// Returns the format that a scraper prefers by its header `Accept` (RFC 9110, section 12.5.1).
    ///
    /// `OpenMetrics` is chosen only if the scraper names it, and not with a lower weight than the classic format. Every other
    /// caller receives the classic format, also one that accepts neither.
    pub(crate) fn negotiate(request: &impl HttpMessage) -> Self {
        let accept = request
            .get_header::<Accept>()
            .unwrap_or_else(|| Accept(Vec::new()));
        let open_metrics = open_metrics_weight(&accept);
        if open_metrics > Quality::ZERO && open_metrics >= classic_weight(&accept) {
            Self::OpenMetrics
        } else {
            Self::Classic
        }
    }

    /// Returns the value of `Content-Type`.
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Classic => prometheus_client::encoding::prometheus_text::CONTENT_TYPE,
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }
}

/// Returns the largest weight of the OpenMetrics format in a version that the text has, or zero.
fn open_metrics_weight(accept: &Accept) -> Quality {
    let is_version_known = |version: &str| OPEN_METRICS_VERSIONS.contains(&version);
    accept
        .iter()
        .filter(|entry| entry.item.essence_str() == OPEN_METRICS)
        .filter(|entry| {
            entry
                .item
                .get_param("version")
                .is_none_or(|version| is_version_known(version.as_str()))
        })
        .map(|entry| entry.quality)
        .max()
        .unwrap_or(Quality::ZERO)
}

/// Returns the weight of the classic format by the most specific range that contains it, or zero.
fn classic_weight(accept: &Accept) -> Quality {
    let weight = |range: &&str| {
        accept
            .iter()
            .filter(|entry| entry.item.essence_str() == *range)
            .map(|entry| entry.quality)
            .max()
    };
    CLASSIC_RANGES
        .iter()
        .find_map(weight)
        .unwrap_or(Quality::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TextFormat::{Classic, OpenMetrics};
    use actix_web::test::TestRequest;

    fn assert_format(accept: &str, expected: TextFormat) {
        let request = TestRequest::default()
            .insert_header(("accept", accept))
            .to_http_request();
        assert_eq!(TextFormat::negotiate(&request), expected, "{accept}");
    }

    #[test]
    fn classic_format_is_the_default() {
        let request = TestRequest::default().to_http_request();
        assert_eq!(TextFormat::negotiate(&request), Classic);
        for accept in [
            "",
            "*/*",
            "text/*",
            "text/plain",
            "text/plain;version=0.0.4",
            "application/*",
            "application/json",
            "text/html,application/xhtml+xml,*/*;q=0.8",
            "nonsense",
            "application/openmetrics-text;version=2.0.0",
            "application/openmetrics-text;q=2",
        ] {
            assert_format(accept, Classic);
        }
    }

    #[test]
    fn named_format_with_the_larger_weight_is_chosen() {
        for (accept, expected) in [
            ("application/openmetrics-text", OpenMetrics),
            ("Application/OpenMetrics-Text; version=1.0.0", OpenMetrics),
            ("application/openmetrics-text;version=0.0.1", OpenMetrics),
            ("application/openmetrics-text;q=0", Classic),
            ("application/openmetrics-text;q=0.001", OpenMetrics),
            (
                "application/openmetrics-text;q=0.5,text/plain;q=0.6",
                Classic,
            ),
            (
                "application/openmetrics-text;q=0.6,text/plain;q=0.6",
                OpenMetrics,
            ),
            ("application/openmetrics-text;q=0.5,*/*;q=0.6", Classic),
            (
                "text/plain;q=0.2,*/*,application/openmetrics-text;q=0.5",
                OpenMetrics,
            ),
            (
                "text/plain;q=0,application/openmetrics-text;q=0.1",
                OpenMetrics,
            ),
        ] {
            assert_format(accept, expected);
        }
    }

    #[test]
    fn scrapers_of_prometheus_receive_openmetrics() {
        for accept in [
            "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.4,*/*;q=0.2",
        ] {
            assert_format(accept, OpenMetrics);
        }
        assert_format("text/plain;version=0.0.4;q=1,*/*;q=0.1", Classic);
    }

    #[test]
    fn repeated_headers_are_one_list() {
        let request = TestRequest::default()
            .append_header(("accept", "text/plain;q=0.4"))
            .append_header(("accept", "application/openmetrics-text;q=0.5"))
            .to_http_request();
        assert_eq!(TextFormat::negotiate(&request), OpenMetrics);
    }
}
