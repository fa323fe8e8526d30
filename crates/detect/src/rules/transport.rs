//! Headers that contradict the browser that the page describes.

use super::declared::shortened;
use super::environment::chromium_version;
use crate::facts::{CheckFacts, Headers};

/// Minimum version of Chromium that sends Fetch-Metadata and client hints to every trusted origin.
const MIN_CHROMIUM_VERSION: u32 = 90;

/// Matches if Fetch-Metadata shows that the call was not the window's own.
pub(super) fn foreign_fetch(facts: &CheckFacts) -> Option<String> {
    facts.calls.iter().find_map(|call| {
        let wrong = |name: &str, right: &[&str]| {
            let value = call.get(name).filter(|value| !right.contains(value))?;
            Some(format!(
                "{name} is {:?}, not {:?}",
                shortened(value),
                right[0]
            ))
        };
        wrong("sec-fetch-site", &["same-origin"]).or_else(|| wrong("sec-fetch-mode", &["cors"]))
    })
}

/// Matches if headers are missing that every browser sends, or that this one does.
///
/// Untrusted origins do not receive them, and apps that embed a browser may omit them.
pub(super) fn missing_headers(facts: &CheckFacts) -> Option<String> {
    let fetch = |call: &Headers| {
        ["sec-fetch-site", "sec-fetch-mode"]
            .into_iter()
            .find(|name| call.get(name).is_none())
    };
    let lacks = |call: &Headers| {
        call.get("user-agent")?;
        let language = call
            .get("accept-language")
            .is_none()
            .then_some("accept-language");
        language.or_else(|| fetch(call).filter(|_| expects_client_hints(facts, call)))
    };
    facts.calls.iter().find_map(lacks).map(missing)
}

/// Matches if the call has no client hints, but the page has.
pub(super) fn missing_hints(facts: &CheckFacts) -> Option<String> {
    let lacks = |call: &&Headers| {
        call.get("sec-ch-ua").is_none() && has_hints(facts) && expects_client_hints(facts, call)
    };
    facts.calls.iter().find(lacks).map(|_| missing("sec-ch-ua"))
}

fn missing(name: &str) -> String {
    format!("the browser sends {name}, the call has none")
}

/// Returns `true` if the call must have the headers of Chromium.
///
/// Another engine with an agent string of Chromium need not have them: there the agent string is the mismatch.
fn expects_client_hints(facts: &CheckFacts, call: &Headers) -> bool {
    let sends = facts.is_chromium()
        && chromium_version(facts.ua()).is_some_and(|version| version >= MIN_CHROMIUM_VERSION);
    let is_embedded = facts.ua().contains("; wv)") || facts.ua().contains("Electron/");
    // The page has client hints only on a trusted origin.
    let is_trusted_origin = call.trustworthy().unwrap_or_else(|| has_hints(facts));
    call.get("user-agent").is_some() && sends && !is_embedded && is_trusted_origin
}

fn has_hints(facts: &CheckFacts) -> bool {
    facts
        .env
        .hints
        .as_ref()
        .and_then(|hints| hints.brands.as_ref())
        .is_some_and(|brands| !brands.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;

    fn without(name: &str) -> CheckBuilder {
        let mut draft = CheckBuilder::person();
        draft.headers.retain(|(known, _)| known != name);
        draft
    }

    fn set(draft: &mut CheckBuilder, name: &str, value: &str) {
        draft.headers.retain(|(known, _)| known != name);
        draft.headers.push((name.to_owned(), value.to_owned()));
    }

    #[test]
    fn a_browser_s_own_call_trips_none() {
        assert_eq!(CheckBuilder::person().fires("foreign_fetch"), None);
        assert_eq!(CheckBuilder::person().fires("missing_headers"), None);
        assert_eq!(CheckBuilder::person().fires("missing_hints"), None);
    }

    #[test]
    fn calls_from_elsewhere_are_seen() {
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
        ] {
            let mut draft = CheckBuilder::person();
            set(&mut draft, name, value);
            assert!(draft.fires("foreign_fetch").is_some(), "{name}");
        }
    }

    #[test]
    fn headers_that_chromium_sends_are_missed() {
        for name in ["sec-fetch-site", "sec-fetch-mode", "accept-language"] {
            assert!(without(name).fires("missing_headers").is_some(), "{name}");
            assert_eq!(without(name).fires("missing_hints"), None, "{name}");
        }
        assert!(without("sec-ch-ua").fires("missing_hints").is_some());
        assert_eq!(without("sec-ch-ua").fires("missing_headers"), None);
        assert_eq!(
            without("user-agent").fires("missing_headers"),
            None,
            "headers that were not recorded are missing"
        );
    }

    #[test]
    fn plain_http_and_apps_fire_no_rule() {
        let mut plain = without("sec-fetch-site");
        set(&mut plain, "origin", "http://check.example");
        assert_eq!(plain.fires("missing_headers"), None);
        set(&mut plain, "origin", "http://127.0.0.1:8700");
        assert!(
            plain.fires("missing_headers").is_some(),
            "loopback is trusted"
        );
        for ua in [
            "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
            "Mozilla/5.0 (Linux; Android 15; wv) Chrome/156.0",
        ] {
            let mut draft = without("sec-ch-ua");
            draft.first["env"]["ua"] = ua.into();
            draft.headers.retain(|(name, _)| !name.starts_with("sec-"));
            for rule in ["missing_headers", "missing_hints"] {
                assert_eq!(draft.fires(rule), None, "{rule} {ua}");
            }
        }
    }
}
