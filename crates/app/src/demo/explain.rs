//! The command by which the demo's operator reads the reasons of a verdict, beside the running demo.

use std::path::Path;

/// The program, where its name cannot be read.
const PROGRAM: &str = "voight";

/// The beginning of `voight verdict explain` for the data directory of the demo.
#[derive(Debug, Clone)]
pub(super) struct Explain {
    beginning: String,
}

impl Explain {
    /// The command for the server of `data_dir`, by the name that this program was started with.
    pub(super) fn new(data_dir: &Path) -> Self {
        let program = std::env::args().next().unwrap_or_else(|| PROGRAM.to_owned());
        let data_dir = std::path::absolute(data_dir).unwrap_or_else(|_| data_dir.to_path_buf());
        Self { beginning: format!("{} --data-dir {}", quoted(&program), quoted(&data_dir.to_string_lossy())) }
    }

    /// The command for an address in a context.
    pub(super) fn command(&self, context: &str, address: &str) -> String {
        format!("{} verdict explain --context {context} {address}", self.beginning)
    }
}

/// A word of a POSIX shell, in quotes if it needs them.
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
            command.ends_with(r" --data-dir '/tmp/it'\''s a demo' verdict explain --context quest.01 0x12"),
            "{command}"
        );
    }
}
