//! Headers that contradict the page.

use super::declared::shortened;
use crate::evidence_schema::Env;
use crate::facts::{CheckFacts, Headers};

/// Matches if a header names another agent, platform, version, device type or language than the page.
pub(super) fn other_in_header(facts: &CheckFacts) -> Option<String> {
    facts
        .calls
        .iter()
        .find_map(|call| differing(&facts.env, call))
}

fn differing(env: &Env, call: &Headers) -> Option<String> {
    let looks = [agent, platform, version, mobile, language];
    let (name, page, sent) = looks.into_iter().find_map(|look| look(env, call))?;
    Some(format!(
        "the {name} is {:?} in the page and {:?} in the header",
        shortened(&page),
        shortened(&sent)
    ))
}

/// Contradiction: its subject, and the values of the page and of the header.
type Differing = Option<(&'static str, String, String)>;

/// Compares the agent strings. The page's is truncated to 512 characters.
fn agent(env: &Env, call: &Headers) -> Differing {
    let (page, sent) = env.ua.as_deref().zip(call.get("user-agent"))?;
    let is_cut = page.chars().count() == 512 && sent.starts_with(page);
    (sent != page && !is_cut).then(|| ("agent", page.to_owned(), sent.to_owned()))
}

fn platform(env: &Env, call: &Headers) -> Differing {
    let page = env.hints.as_ref()?.platform.as_deref()?;
    let header = call.get("sec-ch-ua-platform")?.trim_matches('"');
    (header != page).then(|| ("platform hint", page.to_owned(), header.to_owned()))
}

fn version(env: &Env, call: &Headers) -> Differing {
    let brands = env.hints.as_ref()?.brands.as_ref()?;
    let page = brands.iter().find(|brand| &*brand.name == "Chromium")?;
    let expected_brand = format!("\"Chromium\";v=\"{}\"", page.version);
    let header = call.get("sec-ch-ua")?;
    (!header.contains(&expected_brand)).then(|| ("version hint", expected_brand, header.to_owned()))
}

fn mobile(env: &Env, call: &Headers) -> Differing {
    let page = if env.hints.as_ref()?.mobile? {
        "?1"
    } else {
        "?0"
    };
    let header = call.get("sec-ch-ua-mobile")?;
    (header != page).then(|| ("kind of device", page.to_owned(), header.to_owned()))
}

/// Compares the first languages without their region, which browsers shorten in different contexts.
fn language(env: &Env, call: &Headers) -> Differing {
    let first = |list: &str| {
        list.split([',', ';', '-'])
            .next()
            .map(|tag| tag.trim().to_ascii_lowercase())
    };
    let page = first(env.languages.as_ref()?.first()?)?;
    let header = first(call.get("accept-language")?)?;
    (header != page && header != "*").then_some(("first language", page, header))
}

#[cfg(test)]
mod tests {
    use crate::testing::{CheckBuilder, WINDOWS};
    use serde_json::json;

    fn draft_with_header(name: &str, value: &str) -> CheckBuilder {
        let mut draft = CheckBuilder::person();
        draft
            .headers
            .iter_mut()
            .filter(|(known, _)| known == name)
            .for_each(|(_, sent)| value.clone_into(sent));
        draft
    }

    #[test]
    fn equal_or_missing_headers_fire_no_rule() {
        assert_eq!(CheckBuilder::person().fires("other_in_header"), None);
        let mut without_headers = CheckBuilder::person();
        without_headers.headers.clear();
        assert_eq!(without_headers.fires("other_in_header"), None);
        let mut bare = CheckBuilder::person();
        bare.first["env"] = json!({});
        assert_eq!(bare.fires("other_in_header"), None);
    }

    #[test]
    fn every_contradiction_of_a_header_is_detected() {
        for (name, value) in [
            ("user-agent", WINDOWS),
            ("sec-ch-ua-platform", "\"Windows\""),
            ("sec-ch-ua", "\"Chromium\";v=\"149\""),
            ("sec-ch-ua-mobile", "?1"),
            ("accept-language", "ru-RU,ru;q=0.9"),
        ] {
            assert!(
                draft_with_header(name, value)
                    .fires("other_in_header")
                    .is_some(),
                "{name}"
            );
        }
    }

    #[test]
    fn country_and_brand_order_are_ignored() {
        for (name, value) in [
            ("accept-language", "en-GB, en;q=0.5"),
            ("accept-language", "*"),
            ("sec-ch-ua", "\"Chromium\";v=\"156\", \"Chrome\";v=\"156\""),
        ] {
            assert_eq!(
                draft_with_header(name, value).fires("other_in_header"),
                None,
                "{value}"
            );
        }
    }
}
