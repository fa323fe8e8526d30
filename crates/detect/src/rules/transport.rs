//! Headers that do not belong to the browser that the page describes.

use super::declared::shortened;
use super::environment::chromium_version;
use crate::facts::{Facts, Headers};

/// The version from which Chromium sends Fetch-Metadata and client hints to every trusted origin.
const CHROMIUM_SENDS: u32 = 90;

/// Fetch-Metadata says that the call was not the window's own.
pub(super) fn foreign_fetch(facts: &Facts) -> Option<String> {
    facts.calls.iter().find_map(|call| {
        let wrong = |name: &str, right: &[&str]| {
            let sent = call.get(name).filter(|sent| !right.contains(sent))?;
            Some(format!("{name} is {:?}, not {:?}", shortened(sent), right[0]))
        };
        wrong("sec-fetch-site", &["same-origin"]).or_else(|| wrong("sec-fetch-mode", &["cors"]))
    })
}

/// Headers are missing that this browser sends. On an origin that browsers do not trust they are missing rightly, and
/// what embeds a browser in an app may leave them out.
pub(super) fn missing_headers(facts: &Facts) -> Option<String> {
    let name = facts.calls.iter().find_map(|call| lacks(facts, call))?;
    Some(format!("the browser sends {name}, the call has none"))
}

fn lacks(facts: &Facts, call: &Headers) -> Option<&'static str> {
    call.get("user-agent")?;
    if call.get("accept-language").is_none() {
        return Some("accept-language");
    }
    // Another engine that wears Chromium's agent string owes none of Chromium's headers: that string is the mismatch.
    let sends = facts.is_chromium() && chromium_version(facts.ua()).is_some_and(|version| version >= CHROMIUM_SENDS);
    let embedded = facts.ua().contains("; wv)") || facts.ua().contains("Electron/");
    // Client hints in the page mean that the page is a trusted one.
    let hinted =
        facts.env.hints.as_ref().is_some_and(|hints| hints.brands.as_ref().is_some_and(|list| !list.is_empty()));
    let trusted = call.trustworthy().unwrap_or(hinted);
    if !sends || embedded || !trusted {
        return None;
    }
    let needed = ["sec-fetch-site", "sec-fetch-mode"].into_iter().chain(hinted.then_some("sec-ch-ua"));
    needed.into_iter().find(|name| call.get(name).is_none())
}

#[cfg(test)]
mod tests {
    use crate::testing::Draft;

    fn without(name: &str) -> Draft {
        let mut draft = Draft::person();
        draft.headers.retain(|(known, _)| known != name);
        draft
    }

    fn set(draft: &mut Draft, name: &str, value: &str) {
        draft.headers.retain(|(known, _)| known != name);
        draft.headers.push((name.to_owned(), value.to_owned()));
    }

    #[test]
    fn a_browser_s_own_call_trips_none() {
        assert_eq!(Draft::person().fires("foreign_fetch"), None);
        assert_eq!(Draft::person().fires("missing_headers"), None);
    }

    #[test]
    fn calls_from_elsewhere_are_seen() {
        for (name, value) in [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")] {
            let mut draft = Draft::person();
            set(&mut draft, name, value);
            assert!(draft.fires("foreign_fetch").is_some(), "{name}");
        }
    }

    #[test]
    fn headers_that_chromium_sends_are_missed() {
        for name in ["sec-fetch-site", "sec-fetch-mode", "sec-ch-ua", "accept-language"] {
            assert!(without(name).fires("missing_headers").is_some(), "{name}");
        }
        assert_eq!(without("user-agent").fires("missing_headers"), None, "headers that nobody noted are missing");
    }

    #[test]
    fn plain_http_other_browsers_and_apps_say_nothing() {
        let mut plain = without("sec-fetch-site");
        set(&mut plain, "origin", "http://check.example");
        assert_eq!(plain.fires("missing_headers"), None);
        set(&mut plain, "origin", "http://127.0.0.1:8700");
        assert!(plain.fires("missing_headers").is_some(), "loopback is trusted");
        for ua in [
            "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
            "Mozilla/5.0 (Linux; Android 15; wv) Chrome/156.0",
        ] {
            let mut draft = without("sec-ch-ua");
            draft.first["env"]["ua"] = ua.into();
            assert_eq!(draft.fires("missing_headers"), None, "{ua}");
        }
    }
}
