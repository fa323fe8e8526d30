//! Building of the site.

mod landing;

use crate::link::{self, Target};
use crate::llms::{self, LlmsEntry};
use crate::markdown::{Rendered, render};
use crate::page::{self, Document, Layout};
use crate::search::{self, Indexed};
use crate::summary::{Chapter, Summary};
use crate::tree::SourceTree;
use crate::{errors, openapi, path};
use askama::Template as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// Directory of the decisions, whose pages search leaves out.
const DECISIONS: &str = "docs/adr/";
/// Address of the site on the public listener. Only the page for missing pages has it, because its own address varies.
const MOUNTED: &str = "/docs/";
/// Files that every page uses.
const ASSETS: [(&str, &[u8]); 6] = [
    ("assets/icon.svg", include_bytes!("../assets/icon.svg")),
    ("assets/rank.js", include_bytes!("../assets/rank.js")),
    ("assets/search.js", include_bytes!("../assets/search.js")),
    ("assets/site.css", include_bytes!("../assets/site.css")),
    ("assets/site.js", include_bytes!("../assets/site.js")),
    ("assets/theme.js", include_bytes!("../assets/theme.js")),
];

/// Documentation site.
#[derive(Debug)]
pub struct Site {
    /// Contents of the files by their path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Paths of the sources in the repository.
    pub sources: BTreeSet<String>,
    /// Pages of `docs` that `docs/SUMMARY.md` does not list. They are in the site, but in no list of pages.
    pub unlisted: Vec<String>,
}

/// Failure of a build.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// A source cannot be read.
    #[error("{0}: {1}")]
    Source(String, #[source] io::Error),
    /// The table of contents is malformed.
    #[error("docs/SUMMARY.md: {0}")]
    Summary(String),
    /// A document cannot be formatted, which is a bug.
    #[error("a document cannot be formatted: {0}")]
    Format(String),
}

/// Page with its rendered contents.
struct Page {
    source: String,
    /// Path of its Markdown in the site.
    markdown_path: String,
    markdown: String,
    rendered: Rendered,
}

/// Builds the site from the sources in a repository.
pub fn build(repository: &Path) -> Result<Site, BookError> {
    let mut tree = SourceTree::new(repository);
    let mut summary = read_summary(&tree)?;
    landing::add_page(&mut tree)
        .map_err(|error| BookError::Source(landing::PAGE.to_owned(), error))?;
    add_generated(&mut tree, &mut summary)?;
    let (pages, attachments) = collect(&tree, &summary)?;
    let mut site = Site {
        files: BTreeMap::new(),
        sources: BTreeSet::new(),
        unlisted: unlisted(&tree, &summary)?,
    };
    for source in attachments {
        let bytes = tree
            .bytes(&source)
            .map_err(|error| BookError::Source(source.clone(), error))?;
        site.files.insert(path::in_site(&source), bytes);
        site.sources.insert(source);
    }
    for page in pages.values() {
        site.files.insert(
            page.markdown_path.clone(),
            page.markdown.clone().into_bytes(),
        );
        site.files.insert(
            path::page_of(&page.markdown_path),
            document(&summary, page)?.into_bytes(),
        );
        site.sources.insert(page.source.clone());
    }
    add_common_files(&mut site, &summary, &pages)?;
    Ok(site)
}

fn read_summary(tree: &SourceTree) -> Result<Summary, BookError> {
    const PATH: &str = "docs/SUMMARY.md";
    let text = tree
        .text(PATH)
        .map_err(|error| BookError::Source(PATH.to_owned(), error))?;
    Summary::parse(&text).map_err(BookError::Summary)
}

/// Adds the pages of APIs and of error ids to the tree and to the table of contents.
fn add_generated(tree: &mut SourceTree, summary: &mut Summary) -> Result<(), BookError> {
    for chapter in summary.top_chapters_mut() {
        let source = chapter.source.clone();
        let source_error = |error| BookError::Source(source.clone(), error);
        if source == errors::PAGE {
            chapter
                .children
                .extend(errors::add_pages(tree).map_err(source_error)?);
        } else if let Some(stem) = source.strip_suffix(".json") {
            chapter
                .children
                .extend(openapi::add_pages(tree, &source).map_err(source_error)?);
            chapter.source = format!("{stem}.md");
        }
    }
    Ok(())
}

/// Returns the pages of `docs` that the table of contents does not list.
fn unlisted(tree: &SourceTree, summary: &Summary) -> Result<Vec<String>, BookError> {
    let listed_sources: BTreeSet<_> = summary
        .chapters()
        .map(|chapter| chapter.source.as_str())
        .collect();
    let mut pages = tree
        .pages("docs")
        .map_err(|error| BookError::Source("docs".to_owned(), error))?;
    pages.retain(|page| !listed_sources.contains(page.as_str()) && page != "docs/SUMMARY.md");
    Ok(pages)
}

/// Reads the listed pages, those that they link to, and so on. Returns them with the other files that they link to.
fn collect(
    tree: &SourceTree,
    summary: &Summary,
) -> Result<(BTreeMap<String, Page>, BTreeSet<String>), BookError> {
    let mut waiting: Vec<String> = summary
        .chapters()
        .map(|chapter| chapter.source.clone())
        .collect();
    waiting.extend(unlisted(tree, summary)?);
    let mut pages = BTreeMap::new();
    let mut attachments = BTreeSet::new();
    while let Some(source) = waiting.pop() {
        if pages.contains_key(&source) {
            continue;
        }
        let text = read_page(tree, summary, &source)
            .map_err(|error| BookError::Source(source.clone(), error))?;
        for target in link::targets(&text) {
            match link::resolve(tree, &source, &target) {
                Target::Page(page, _) => waiting.push(page),
                Target::File(file) => {
                    attachments.insert(file);
                }
                Target::Other => {}
            }
        }
        pages.insert(source.clone(), make_page(tree, source, &text));
    }
    // The page of an OpenAPI document links to the document, which is a page to all others.
    attachments.extend(
        pages
            .keys()
            .filter_map(|page| Some(format!("{}.json", page.strip_suffix(".md")?)))
            .filter(|file| tree.has_file(file)),
    );
    Ok((pages, attachments))
}

/// Returns the text of a page. The index of a directory lists the pages below its chapter, or the files of the directory.
fn read_page(tree: &SourceTree, summary: &Summary, source: &str) -> io::Result<String> {
    let Some(directory) = source.strip_suffix("/README.md") else {
        return tree.text(source);
    };
    if !tree.has_file(source) {
        let links = tree
            .names(directory)?
            .into_iter()
            .map(|name| format!("- [{name}]({name})\n"));
        return Ok(format!(
            "# Files in {directory}\n\n{}",
            links.collect::<String>()
        ));
    }
    let text = tree.text(source)?;
    let children = summary
        .chapters()
        .find(|chapter| chapter.source == source)
        .map(|chapter| &chapter.children);
    let links: String = children
        .into_iter()
        .flatten()
        .map(|child| link_to_child(source, child))
        .collect();
    Ok(if links.is_empty() {
        text
    } else {
        format!("{text}\n{links}")
    })
}

fn link_to_child(source: &str, child: &Chapter) -> String {
    format!(
        "- [{}]({})\n",
        child.title,
        path::relative(source, &child.source)
    )
}

/// Renders a page, and rewrites the links of its Markdown that lead elsewhere in the site.
fn make_page(tree: &SourceTree, source: String, text: &str) -> Page {
    let markdown_path = path::in_site(&source);
    let address = |target: &str, is_html: bool| {
        let (file, fragment) = match link::resolve(tree, &source, target) {
            Target::Page(page, fragment) if page == source && !fragment.is_empty() => {
                return Some(fragment);
            }
            Target::Page(page, fragment) => (path::in_site(&page), fragment),
            Target::File(file) => (path::in_site(&file), String::new()),
            Target::Other => return None,
        };
        let is_page = is_html && crate::tree::is_markdown(&file);
        let file = if is_page { path::page_of(&file) } else { file };
        Some(path::relative(&markdown_path, &file) + &fragment)
    };
    let rendered_page = render(text, |target| {
        address(target, true).unwrap_or_else(|| target.to_owned())
    });
    let markdown = link::map_links(text, |target| address(target, false));
    Page {
        source,
        markdown_path,
        markdown,
        rendered: rendered_page,
    }
}

/// Returns the path from a page to the directory of the site.
fn root_of(page: &str) -> String {
    "../".repeat(page.matches('/').count())
}

fn document(summary: &Summary, page: &Page) -> Result<String, BookError> {
    let root = root_of(&page.markdown_path);
    let order: Vec<&Chapter> = summary.chapters().collect();
    let at = order
        .iter()
        .position(|chapter| chapter.source == page.source);
    let neighbour =
        |at: Option<usize>| Some(page::nav_item(order.get(at?)?, &root, "", Vec::new()));
    let part = summary.parts.iter().find(|part| {
        part.chapters
            .iter()
            .flat_map(Chapter::flattened)
            .any(|chapter| chapter.source == page.source)
    });
    let layout = if page.source == landing::PAGE {
        Layout::Landing
    } else {
        Layout::Page
    };
    format_document(&Document {
        layout,
        root: &root,
        title: &page.rendered.title,
        description: &llms::description(&page.rendered.lead),
        part: part.map_or("", |part| &part.title),
        content: &if layout == Layout::Landing {
            landing::sections(&page.rendered)
        } else {
            page.rendered.html.clone()
        },
        markdown_path: page.markdown_path.rsplit('/').next(),
        nav: page::navigation(summary, &page.source, &root),
        toc: if layout == Layout::Landing {
            Vec::new()
        } else {
            page::contents(&page.rendered)
        },
        previous: neighbour(at.and_then(|at| at.checked_sub(1))),
        next: neighbour(at.map(|at| at + 1)),
    })
}

fn format_document(document: &Document<'_>) -> Result<String, BookError> {
    document
        .render()
        .map_err(|error| BookError::Format(error.to_string()))
}

/// Adds what is not a page: assets, search, the index for language models, the page for missing pages.
fn add_common_files(
    site: &mut Site,
    summary: &Summary,
    pages: &BTreeMap<String, Page>,
) -> Result<(), BookError> {
    for (name, bytes) in ASSETS {
        site.files.insert(name.to_owned(), bytes.to_vec());
    }
    let special = |layout, root, title, content| {
        format_document(&Document {
            layout,
            root,
            title,
            description: title,
            part: "",
            content,
            markdown_path: None,
            nav: page::navigation(summary, "", root),
            toc: Vec::new(),
            previous: None,
            next: None,
        })
    };
    let missing = missing_page(summary);
    site.files.insert(
        "404.html".to_owned(),
        special(Layout::Page, MOUNTED, "This page does not exist", &missing)?.into(),
    );
    site.files.insert(
        "search.html".to_owned(),
        special(Layout::Search, "", "Search", "")?.into(),
    );
    let searchable_pages = pages
        .values()
        .filter(|page| !page.source.starts_with(DECISIONS));
    let addresses: Vec<_> = searchable_pages
        .map(|page| (path::page_of(&page.markdown_path), &page.rendered))
        .collect();
    let indexed_pages: Vec<_> = addresses
        .iter()
        .map(|(address, page)| Indexed::new(address, page))
        .collect();
    let script =
        search::script(&indexed_pages).map_err(|error| BookError::Format(error.to_string()))?;
    site.files
        .insert("assets/search-index.js".to_owned(), script.into());
    site.files
        .insert("llms.txt".to_owned(), llms(summary, pages).into());
    Ok(())
}

/// Returns the contents of the page for missing pages: a search, whose words the script takes from the address, and the first
/// page of each part of the table of contents.
fn missing_page(summary: &Summary) -> String {
    let mut html = format!(
        "<p>Search for it, or begin with one of these pages.</p>\n<form class=\"again\" role=\"search\" aria-label=\"Missing page\" action=\"{MOUNTED}search.html\">\
         <input type=\"search\" name=\"q\" aria-label=\"Words of the page\"><button>Search</button></form>\n<ul>\n"
    );
    for chapter in summary
        .parts
        .iter()
        .filter_map(|part| part.chapters.first())
    {
        let address = path::page_of(&path::in_site(&chapter.source));
        let title = crate::highlight::escape(&chapter.title);
        let _ = writeln!(html, "<li><a href=\"{MOUNTED}{address}\">{title}</a></li>");
    }
    html + "</ul>\n"
}

/// Returns the index of all pages: those of the table of contents in its order, then the others.
fn llms(summary: &Summary, pages: &BTreeMap<String, Page>) -> String {
    let listed_pages = summary.parts.iter().flat_map(|part| {
        part.chapters
            .iter()
            .flat_map(Chapter::flattened)
            .map(|chapter| (part.title.as_str(), &chapter.source))
    });
    let listed_pages: Vec<_> = listed_pages
        .filter_map(|(part, source)| Some((part, pages.get(source)?)))
        .collect();
    let is_listed: BTreeSet<_> = listed_pages
        .iter()
        .map(|(_, page)| page.source.as_str())
        .collect();
    let other_pages = pages
        .values()
        .filter(|page| !is_listed.contains(page.source.as_str()));
    let all_pages: Vec<_> = listed_pages
        .iter()
        .copied()
        .chain(other_pages.map(|page| ("Optional", page)))
        .collect();
    let descriptions: Vec<_> = all_pages
        .iter()
        .map(|(_, page)| llms::description(&page.rendered.lead))
        .collect();
    let summary = pages
        .get(landing::PAGE)
        .map(|page| page.rendered.lead.trim())
        .unwrap_or_default();
    let entries = all_pages
        .iter()
        .zip(&descriptions)
        .map(|((part, page), description)| LlmsEntry {
            part,
            title: &page.rendered.title,
            markdown_path: &page.markdown_path,
            description,
        });
    llms::index(summary, entries)
}

#[cfg(test)]
mod tests;
