//! Parsers of untrusted input, exported for fuzzing.

use crate::cli::read_labels;
use crate::config::{ConfigEntry, ConfigErrors, ConfigSources, load_text};
use crate::wiring::StoreUrl;
use std::collections::BTreeMap;

/// Parses a configuration file and variables (`VOIGHT__SECTION__KEY`). Returns every key with its value as `voight config show`
/// prints it, or a message for each problem.
pub fn configuration(
    file: &str,
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<BTreeMap<String, String>, Vec<String>> {
    let environment = environment.into_iter().collect();
    let inputs = ConfigSources {
        file: Some("voight.toml".into()),
        environment,
        ..ConfigSources::default()
    };
    match load_text(inputs, Some(file)) {
        Ok(loaded) => Ok(loaded
            .entries
            .into_iter()
            .map(|ConfigEntry { key, value, .. }| (key, value))
            .collect()),
        Err(ConfigErrors(problems)) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

/// Parses a file of labels (`voight verdict label --csv`). Returns its addresses in order, or a message for each invalid line.
pub fn labels(text: &str) -> Result<Vec<String>, Vec<String>> {
    Ok(read_labels(text)?
        .into_iter()
        .map(|label| label.address)
        .collect())
}

/// Parses the URL of a store and returns its normalised form, or a message with the problem.
pub fn store_url(text: &str) -> Result<String, String> {
    text.parse::<StoreUrl>()
        .map(|url| url.to_string())
        .map_err(|error| error.to_string())
}
