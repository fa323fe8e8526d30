//! Pages of an API: the operations of an OpenAPI document by tag, and its schemas.

mod operation;
mod schema;
mod value;

use crate::summary::Chapter;
use crate::tree::SourceTree;
use operation::DocumentedOperation;
use serde_json::Value;
use std::fmt::Write as _;
use std::io;
use value::{array, text};

/// Adds the pages of the document `source` to the tree, and returns the chapters below its first page.
///
/// # Errors
///
/// Fails if the document cannot be read or is not JSON.
pub(crate) fn add_pages(tree: &mut SourceTree, source: &str) -> io::Result<Vec<Chapter>> {
    let document: Value = serde_json::from_str(&tree.text(source)?)?;
    let stem = source.trim_end_matches(".json");
    let name = stem.rsplit_once('/').map_or(stem, |(_, name)| name);
    let mut index = format!(
        "# {}: API reference\n\n{}\n\nThis page and those below it are generated from [the OpenAPI 3.1 document]({name}.json). \
         Types of bodies are on the page [Schemas]({name}/schemas.md).\n",
        text(&document["info"]["title"]),
        text(&document["info"]["description"])
    );
    let mut chapters = Vec::new();
    for tag in array(&document["tags"]) {
        let title = capitalised(text(&tag["name"]));
        let path = format!("{name}/{}.md", file_name(text(&tag["name"])));
        let _ = write!(
            index,
            "\n## {title}\n\n{}\n\n| operation | purpose |\n|---|---|\n",
            text(&tag["description"])
        );
        let mut page = format!("# {title}\n\n{}\n", text(&tag["description"]));
        for operation in operations(&document, text(&tag["name"])) {
            index.push_str(&operation.row(&path));
            page.push_str(&operation.markdown());
        }
        let source = format!("{stem}/{}.md", file_name(text(&tag["name"])));
        tree.insert(source.clone(), page);
        chapters.push(Chapter::new(title, source));
    }
    let schemas = format!("{stem}/schemas.md");
    tree.insert(schemas.clone(), schema::page(&document));
    chapters.push(Chapter::new("Schemas", schemas));
    tree.insert(format!("{stem}.md"), index);
    Ok(chapters)
}

/// Returns the operations with a tag, in the order of their paths.
fn operations<'a>(
    document: &'a Value,
    tag: &'a str,
) -> impl Iterator<Item = DocumentedOperation<'a>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(move |(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, body)| DocumentedOperation {
            document,
            method,
            path,
            body,
        })
    });
    operations.filter(move |operation| array(&operation.body["tags"]).any(|name| name == tag))
}

fn file_name(tag: &str) -> String {
    tag.to_lowercase().replace(' ', "-")
}

fn capitalised(tag: &str) -> String {
    let words = tag.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = include_str!("openapi/sample.json");

    fn tree() -> (SourceTree, Vec<Chapter>) {
        let mut tree = SourceTree::new("absent");
        tree.insert("docs/reference/api.json".to_owned(), DOCUMENT.to_owned());
        let chapters = add_pages(&mut tree, "docs/reference/api.json").unwrap();
        (tree, chapters)
    }

    #[test]
    fn each_tag_has_a_page_and_the_first_page_lists_the_operations() {
        let (tree, chapters) = tree();
        let titles: Vec<_> = chapters
            .iter()
            .map(|chapter| chapter.title.as_str())
            .collect();
        assert_eq!(titles, ["Signing keys", "Schemas"]);
        let index = tree.text("docs/reference/api.md").unwrap();
        assert!(
            index
                .contains("| [`GET /v1/keys/{id}`](api/signing-keys.md#show-a-key) | Show a key |"),
            "{index}"
        );
    }

    #[test]
    fn an_operation_has_parameters_bodies_and_errors_with_their_pages() {
        let (tree, _) = tree();
        let page = tree.text("docs/reference/api/signing-keys.md").unwrap();
        for part in [
            "## Show a key\n\n```text\nGET /v1/keys/{id}\n```\n\nReads one.\n",
            "Credential: `x-token`. Permission: `read`.",
            "| `id` | path | string | yes | The id \\| name. |",
            "**Request body**: `application/json`, [Key](schemas.md#key)\n\n| member |",
            "| `id` | string | yes | The id. |",
            "| 200 | Success | `application/json`, [Key](schemas.md#key) |",
            "| 404 | [`m_g_n_1`](../errors/m_g_n_1.md) NOT_FOUND |",
        ] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
    }

    #[test]
    fn a_schema_has_a_row_for_each_member() {
        let (tree, _) = tree();
        let page = tree.text("docs/reference/api/schemas.md").unwrap();
        for part in [
            "## Key\n\nA key.\n",
            "| `id` | string | yes | The id. |",
            "| `owner` | [Tag](#tag) or null | no | The owner. |",
            "| `tags` | array of [Tag](#tag) | no | |",
            "| `size` | integer, int64, at least 0; or null | no | |",
            "## Line\n\nOne of these objects:\n\nA key.\n\n| member |",
            "The end.\n\n| member | type | required | description |\n|---|---|---|---|\n| `end` | `true` | no | |",
            "## Tag\n\nA tag.\n\nOne of: `\"a\"`, `\"b\"`.",
        ] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
    }

    #[test]
    fn a_document_that_is_not_json_is_an_error() {
        let mut tree = SourceTree::new("absent");
        tree.insert("a.json".to_owned(), "{".to_owned());
        assert!(add_pages(&mut tree, "a.json").is_err());
        assert!(add_pages(&mut tree, "b.json").is_err());
    }
}
