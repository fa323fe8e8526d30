//! Environment variables with the prefix of the program: the ones that it reads, and diagnostics for all others.

use super::layer::Source;
use super::located::LocatedDiagnostic;
use super::schema::keys;
use super::suggestion::closest_match;
use std::collections::{BTreeMap, HashMap};

/// Prefix of every variable of the program.
const PREFIX: &str = "VOIGHT_";
/// Prefix of the variables that set configuration keys.
const KEY_PREFIX: &str = "VOIGHT__";
/// Variables that the program reads beside those of configuration keys.
const PROGRAM_VARIABLES: [&str; 4] = [
    "VOIGHT_ADMIN_TOKEN",
    "VOIGHT_API_KEY",
    "VOIGHT_CONFIG",
    "VOIGHT_PEPPER",
];
/// Variables of the documented backends of platforms, which a shell may share with the program.
const PLATFORM_VARIABLES: [&str; 2] = ["VOIGHT_CONTEXT", "VOIGHT_URL"];
/// Schemes of the addresses that container platforms put into variables.
const LINK_SCHEMES: [&str; 3] = ["tcp://", "udp://", "sctp://"];

/// Returns the environment of this process. Bytes that are not UTF-8 become `U+FFFD`, which the configuration rejects.
pub(crate) fn process_environment() -> HashMap<String, String> {
    let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    std::env::vars_os()
        .map(|(name, value)| (text(name), text(value)))
        .collect()
}

/// Returns a diagnostic for every variable with the prefix that nothing reads, or that is not UTF-8.
pub(super) fn variable_problems(variables: &HashMap<String, String>) -> Vec<LocatedDiagnostic> {
    let mut problems: Vec<_> = variables
        .iter()
        .filter_map(|(name, value)| problem(name, value))
        .collect();
    problems.sort_unstable();
    problems.into_iter().map(LocatedDiagnostic::plain).collect()
}

fn problem(name: &str, value: &str) -> Option<String> {
    let has_prefix = name
        .get(..PREFIX.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
    if !has_prefix {
        return None;
    }
    if value.contains(char::REPLACEMENT_CHARACTER) {
        return Some(format!(
            "the environment variable {name} is not UTF-8; set it again as text"
        ));
    }
    let is_read =
        is_key(name) || PROGRAM_VARIABLES.contains(&name) || PLATFORM_VARIABLES.contains(&name);
    let is_known = is_read || is_service_link(name, value);
    (!is_known).then(|| {
        format!(
            "no command reads the environment variable {name}; {}",
            remedy(name)
        )
    })
}

/// Returns `true` for the variable of a configuration key, known or not; its layer reports the unknown ones.
fn is_key(name: &str) -> bool {
    name.get(..KEY_PREFIX.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(KEY_PREFIX))
}

/// Returns `true` for a variable that Kubernetes and Docker set in a container for a service that is named `voight` or `voight-…`.
fn is_service_link(name: &str, value: &str) -> bool {
    let has_port = || {
        let mut words = name.split('_').skip_while(|word| *word != "PORT").skip(1);
        words.next().is_some_and(|port| port.parse::<u16>().is_ok())
    };
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || LINK_SCHEMES.iter().any(|scheme| value.starts_with(scheme))
        || has_port()
}

fn remedy(name: &str) -> String {
    match similar_variable(name) {
        Some(known) => format!("did you mean {known}?"),
        None => {
            "unset it: a configuration key is set by VOIGHT__SECTION__KEY, and `voight config init` prints every key"
                .to_owned()
        }
    }
}

/// Returns the known variable whose words are most similar to those of `name`.
fn similar_variable(name: &str) -> Option<String> {
    let words = |name: &str| {
        name.get(PREFIX.len()..)
            .unwrap_or_default()
            .replace("__", "_")
            .to_ascii_lowercase()
    };
    let key_names = keys()
        .keys()
        .filter(|key| !key.contains('['))
        .map(|key| Source::Environment.key_name(key));
    let known_variables: BTreeMap<String, String> = PROGRAM_VARIABLES
        .into_iter()
        .map(str::to_owned)
        .chain(key_names)
        .map(|name| (words(&name).trim_start_matches('_').to_owned(), name))
        .collect();
    closest_match(&words(name), known_variables.keys().map(String::as_str))
        .and_then(|words| known_variables.get(words))
        .cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(pairs: &[(&str, &str)]) -> Vec<String> {
        let variables = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        variable_problems(&variables)
            .into_iter()
            .map(|problem| problem.message)
            .collect()
    }

    #[test]
    fn unread_variable_is_named_with_the_nearest_one() {
        for (name, known) in [
            ("VOIGHT_SERVER_LISTEN", "VOIGHT__SERVER__LISTEN"),
            ("VOIGHT_SERVER__LISTEN", "VOIGHT__SERVER__LISTEN"),
            ("VOIGHT_LISTEN", "VOIGHT__SERVER__LISTEN"),
            ("VOIGHT_STORE_URL", "VOIGHT__STORE__URL"),
            ("VOIGHT_DATA_DIR", "VOIGHT__STORE__DATA_DIR"),
            ("VOIGHT_PUBLIC_URL", "VOIGHT__SERVER__PUBLIC_URL"),
            ("VOIGHT_LOG_JSON", "VOIGHT__LOG__JSON"),
            ("VOIGHT_PEPER", "VOIGHT_PEPPER"),
            ("VOIGHT_TOKEN", "VOIGHT_ADMIN_TOKEN"),
            ("voight_pepper", "VOIGHT_PEPPER"),
        ] {
            let sentence = sentences(&[(name, "x")]).join("\n");
            assert!(
                sentence.contains(name) && sentence.ends_with(&format!("did you mean {known}?")),
                "{sentence}"
            );
        }
        assert!(sentences(&[("VOIGHT_QUX", "x")])[0].contains("unset it"));
    }

    #[test]
    fn variables_of_other_programs_are_accepted() {
        let known_variables = [
            ("VOIGHT_PEPPER", "00"),
            ("VOIGHT_ADMIN_TOKEN", "x"),
            ("VOIGHT_API_KEY", "x"),
            ("VOIGHT_CONFIG", ""),
            ("VOIGHT_URL", "http://localhost:8080"),
            ("VOIGHT_CONTEXT", "spring"),
            ("VOIGHT__SERVER__LISTEN", "127.0.0.1:1"),
            ("VOIGHTS", "x"),
            ("PATH", "\u{fffd}"),
        ];
        let of_kubernetes = [
            ("VOIGHT_SERVICE_HOST", "10.0.0.1"),
            ("VOIGHT_SERVICE_PORT", "8080"),
            ("VOIGHT_SERVICE_PORT_HTTP", "8080"),
            ("VOIGHT_PORT", "tcp://10.0.0.1:8080"),
            ("VOIGHT_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
            ("VOIGHT_PORT_8080_TCP_PROTO", "tcp"),
            ("VOIGHT_ADMIN_PORT_8081_TCP_ADDR", "10.0.0.1"),
        ];
        assert_eq!(
            sentences(&[&known_variables[..], &of_kubernetes].concat()),
            Vec::<String>::new()
        );
        assert_eq!(sentences(&[("VOIGHT_PORT", "8080")]).len(), 1);
    }

    #[test]
    fn variable_that_is_not_text_is_rejected() {
        assert!(
            sentences(&[("VOIGHT_PEPPER", "ab\u{fffd}")])[0].contains("VOIGHT_PEPPER is not UTF-8")
        );
    }
}
