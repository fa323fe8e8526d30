//! Paths of the repository, and the addresses of their pages in the site.

/// Resolves `.` and `..` of a target that is relative to the directory `base`. Returns `None` above the root.
pub(crate) fn join(base: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the directory of a path, without a slash at its end.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns the relative path from the directory of `from` to `to`.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let base: Vec<&str> = directory(from)
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    let target: Vec<&str> = to.split('/').collect();
    let shared_depth = base
        .iter()
        .zip(&target[..target.len() - 1])
        .take_while(|(a, b)| a == b)
        .count();
    let up = std::iter::repeat_n("..", base.len() - shared_depth);
    up.chain(target[shared_depth..].iter().copied())
        .collect::<Vec<_>>()
        .join("/")
}

/// Returns the path in the site of a file of the repository. A `README.md` is the index of its directory.
pub(crate) fn in_site(source: &str) -> String {
    let path = source
        .strip_prefix("docs/")
        .map_or_else(|| format!("repository/{source}"), str::to_owned);
    match path.strip_suffix("README.md") {
        Some(directory) if directory.is_empty() || directory.ends_with('/') => {
            format!("{directory}index.md")
        }
        _ => path,
    }
}

/// Returns the path of the page whose Markdown is at `markdown_path`.
pub(crate) fn page_of(markdown_path: &str) -> String {
    format!("{}.html", markdown_path.trim_end_matches(".md"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_resolved_within_the_repository() {
        assert_eq!(
            join("docs/guides", "../reference/./cli.md").as_deref(),
            Some("docs/reference/cli.md")
        );
        assert_eq!(join("docs", "../.."), None);
    }

    #[test]
    fn a_relative_path_leads_from_a_page_to_another() {
        assert_eq!(relative("guides/a.html", "guides/b.html"), "b.html");
        assert_eq!(relative("guides/a.html", "index.html"), "../index.html");
        assert_eq!(relative("index.html", "guides/a.html"), "guides/a.html");
        assert_eq!(relative("a/b/c.html", "a/d/c.html"), "../d/c.html");
    }

    #[test]
    fn pages_outside_of_docs_have_a_directory_of_their_own() {
        assert_eq!(in_site("docs/guides/configure.md"), "guides/configure.md");
        assert_eq!(in_site("docs/README.md"), "index.md");
        assert_eq!(in_site("README.md"), "repository/index.md");
        assert_eq!(
            page_of(&in_site("examples/html/README.md")),
            "repository/examples/html/index.html"
        );
    }
}
