//! Evidence-collecting sources of the browser, as far as a published measurement depends on them.

use crate::paths;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Directory of the window's modules.
const WINDOW: &str = "crates/browser/assets/window";
/// Modules beside the collectors' directory that determine the contents and the time of the collection.
const BESIDE: [&str; 2] = ["evidence.js", "check.js"];
/// Number of hexadecimal digits of a digest.
const LENGTH: usize = 16;

/// Returns the digest of the collection code in the repository, without comments and white space.
///
/// A measurement with another digest is older than the code. The digest needs no history, so a shallow clone has it too.
///
/// # Errors
///
/// A module cannot be read.
pub fn digest() -> io::Result<String> {
    let folder = paths::repository().join(WINDOW);
    let modules = modules(&folder)?;
    let text = |path: &PathBuf| -> io::Result<String> {
        let name = path
            .strip_prefix(&folder)
            .unwrap_or(path)
            .display()
            .to_string();
        Ok(format!("{name}\n{}\n", code(&fs::read_to_string(path)?)))
    };
    let texts = modules.iter().map(text).collect::<io::Result<String>>()?;
    Ok(blake3::hash(texts.as_bytes()).to_hex()[..LENGTH].to_owned())
}

/// Returns the collecting modules, in a fixed order.
fn modules(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = fs::read_dir(folder.join("collect"))?.map(|entry| Ok(entry?.path()));
    let mut modules = files
        .chain(BESIDE.map(|name| Ok(folder.join(name))))
        .collect::<io::Result<Vec<_>>>()?;
    modules.retain(|path| path.extension().is_some_and(|extension| extension == "js"));
    modules.sort();
    Ok(modules)
}

/// Returns the code of a module without comments and white space. Line comments are on their own lines.
fn code(module: &str) -> String {
    let mut parts = module.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    let after_comment = |part: &str| {
        part.split_once("*/")
            .map_or(String::new(), |(_, code)| code.to_owned())
    };
    let code = parts.fold(first, |code, part| code + &after_comment(part));
    let lines = code
        .lines()
        .map(|line| line.split_whitespace().collect::<String>());
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::{LENGTH, code, digest};

    #[test]
    fn comments_and_space_are_no_code() {
        let module = "/** One\n * two. */\n\nimport { a } from './a.js';\n  // Three.\nconst b = (/** @type {any} */ (a));\nb();\n";
        assert_eq!(code(module), "import{a}from'./a.js';\nconstb=((a));\nb();");
    }

    #[test]
    fn digest_is_deterministic() {
        let digest_of_sources = digest().expect("the sources are here");
        assert_eq!(
            (digest_of_sources.len(), &digest_of_sources),
            (LENGTH, &digest().expect("the sources are here"))
        );
    }
}
