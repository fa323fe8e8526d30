//! Search index: the texts of all sections, which the browser scans.

use crate::markdown::Rendered;
use serde::Serialize;

/// Page of the index.
#[derive(Serialize)]
pub(crate) struct Indexed<'a> {
    /// Path of the page.
    p: &'a str,
    /// Title.
    t: &'a str,
    /// Sections: anchor, heading and text.
    s: Vec<(&'a str, &'a str, String)>,
}

impl<'a> Indexed<'a> {
    /// Creates the entry of a page.
    pub(crate) fn new(path: &'a str, page: &'a Rendered) -> Self {
        let mut sections = Vec::new();
        for section in &page.sections {
            let text = section
                .text
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            let (anchor, heading) = if section.level <= 1 {
                ("", "")
            } else {
                (&*section.anchor, &*section.heading)
            };
            if !text.is_empty() || !heading.is_empty() {
                sections.push((anchor, heading, text));
            }
        }
        Self {
            p: path,
            t: &page.title,
            s: sections,
        }
    }
}

/// Returns the script that sets the index. A script, because a page that is opened as a file cannot fetch others.
pub(crate) fn script(pages: &[Indexed<'_>]) -> serde_json::Result<String> {
    Ok(format!(
        "window.voightSearchIndex = {};\n",
        serde_json::to_string(pages)?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::render;

    #[test]
    fn the_index_has_the_sections_of_a_page_with_their_anchors() {
        let page = render(
            "# A\n\nOne\ntwo.\n\n## B\n\n```sh\nc  d\n```\n",
            str::to_owned,
        );
        let script = script(&[Indexed::new("a.html", &page)]).unwrap();
        let expected_index = r#"[{"p":"a.html","t":"A","s":[["","","One two."],["b","B","c d"]]}]"#;
        assert_eq!(
            script,
            format!("window.voightSearchIndex = {expected_index};\n")
        );
    }
}
