//! Side effects of a rejected command: one sentence, an exit code, and nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Asserts that a command ended with `code` and printed no data.
///
/// Its message on standard error is one sentence that contains `words`.
#[track_caller]
pub(crate) fn assert_rejected(output: &Output, code: i32, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let sentence = stderr.trim_end();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(
        output.stdout.is_empty(),
        "a refusal is no data: {}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(
        sentence.starts_with("voight: ") && sentence.lines().count() == 1,
        "one sentence was expected:\n{stderr}"
    );
    for word in words {
        assert!(
            sentence.contains(word),
            "{word:?} is not in the sentence: {sentence}"
        );
    }
}

/// Returns the names and contents of all files in a directory.
pub(crate) fn tree(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut contents = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return contents;
    };
    for entry in entries {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            contents.extend(tree(&path));
            contents.insert(path, None);
        } else {
            // A socket has no contents.
            let content = path
                .is_file()
                .then(|| std::fs::read(&path).expect("a file that can be read"));
            contents.insert(path, content);
        }
    }
    contents
}
