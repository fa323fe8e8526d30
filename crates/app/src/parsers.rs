//! The parsers of what comes from outside, for tools that try them with arbitrary input.

use crate::cli::read_labels;
use crate::config::{ConfigEntry, ConfigErrors, ConfigSources, load_text};
use crate::store_url::StoreUrl;
use std::collections::BTreeMap;

/// What a configuration file of this text and these variables (`VOIGHT__SECTION__KEY`) come to: the value of every key as
/// `voight config show` prints it, or a sentence for everything that is wrong.
pub fn configuration(
    file: &str,
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<BTreeMap<String, String>, Vec<String>> {
    let environment = environment.into_iter().collect();
    let inputs = ConfigSources { file: Some("voight.toml".into()), environment, ..ConfigSources::default() };
    match load_text(inputs, Some(file)) {
        Ok(loaded) => Ok(loaded.entries.into_iter().map(|ConfigEntry { key, value, .. }| (key, value)).collect()),
        Err(ConfigErrors(problems)) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

/// The addresses that a file of labels (`voight verdict label --csv`) names, in its order, or a sentence for each wrong line.
pub fn labels(text: &str) -> Result<Vec<String>, Vec<String>> {
    Ok(read_labels(text)?.into_iter().map(|label| label.address).collect())
}

/// The URL of a store as it is understood and written again, or a sentence on what is wrong with it.
pub fn store_url(text: &str) -> Result<String, String> {
    text.parse::<StoreUrl>().map(|url| url.to_string()).map_err(|error| error.to_string())
}
