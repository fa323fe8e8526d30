//! Command with which the user of the demo reads the reasons of a verdict while the demo runs.

use std::path::Path;

/// Program name if that of this process cannot be determined.
const PROGRAM: &str = "voight";

/// Command line of `voight verdict explain` for the data directory of the demo, without its arguments.
#[derive(Debug, Clone)]
pub(super) struct Explain {
    beginning: String,
}

impl Explain {
    /// Creates the command for the server of `data_dir`, with the name by which this program was started.
    pub(super) fn new(data_dir: &Path) -> Self {
        let program = std::env::args()
            .next()
            .unwrap_or_else(|| PROGRAM.to_owned());
        let data_dir = std::path::absolute(data_dir).unwrap_or_else(|_| data_dir.to_path_buf());
        Self {
            beginning: format!(
                "{} --data-dir {}",
                quoted(&program),
                quoted(&data_dir.to_string_lossy())
            ),
        }
    }

    /// Returns the command for an address in a context.
    pub(super) fn command(&self, context: &str, address: &str) -> String {
        format!(
            "{} verdict explain --context {context} {address}",
            self.beginning
        )
    }
}

/// Quotes a word for a POSIX shell, if necessary.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_with_a_blank_is_one_word() {
        let command = Explain::new(Path::new("/tmp/it's a demo")).command("quest.01", "0x12");
        assert!(
            command.ends_with(
                r" --data-dir '/tmp/it'\''s a demo' verdict explain --context quest.01 0x12"
            ),
            "{command}"
        );
    }
}
