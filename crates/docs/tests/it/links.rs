//! Links, pictures, scripts and style sheets of all pages.

use crate::{has_extension, pages, text};
use std::collections::{BTreeMap, BTreeSet};
use voight_docs::{file, files};

/// Returns the tags of a page, without angle brackets.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    html.split('<')
        .skip(1)
        .filter_map(|part| part.split('>').next())
}

/// Returns the values of an attribute.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    tags(html)
        .filter_map(|tag| tag.split_once(&start)?.1.split('"').next())
        .collect()
}

/// Returns the path of a target in the site. A target may begin with the address of the site on the public listener.
fn resolved(page: &str, target: &str) -> String {
    let (base, target) = match target.strip_prefix("/docs/") {
        Some(target) => ("", target),
        None => (
            page.rsplit_once('/').map_or("", |(directory, _)| directory),
            target,
        ),
    };
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            ".." => assert!(parts.pop().is_some(), "{page}: {target} is above the site"),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn is_elsewhere(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

/// Returns the fault of a link of a page, if it has one. `anchors` are the ids of every page.
fn fault(page: &str, target: &str, anchors: &BTreeMap<&str, BTreeSet<String>>) -> Option<String> {
    let (path, anchor) = target
        .split_once('#')
        .map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let path = path.split('?').next().unwrap_or_default();
    let path = if path.is_empty() {
        page.to_owned()
    } else {
        resolved(page, path)
    };
    if file(&path).is_none() {
        return Some(format!("{page}: {target} does not exist"));
    }
    let anchor = anchor.filter(|_| has_extension(&path, "html"))?;
    (!anchors.get(path.as_str())?.contains(anchor))
        .then(|| format!("{page}: {target} names no heading"))
}

fn anchors() -> BTreeMap<&'static str, BTreeSet<String>> {
    let ids = |html: &str| values(html, "id").into_iter().map(str::to_owned).collect();
    pages().map(|(path, html)| (path, ids(&html))).collect()
}

#[test]
fn every_link_and_anchor_of_every_page_resolves() {
    let anchors = anchors();
    let mut count = 0;
    let mut faults = Vec::new();
    for (page, html) in pages() {
        let targets = [
            values(&html, "href"),
            values(&html, "src"),
            values(&html, "action"),
        ]
        .concat();
        for target in targets.into_iter().filter(|target| !is_elsewhere(target)) {
            count += 1;
            faults.extend(fault(page, target, &anchors));
        }
    }
    assert!(
        faults.is_empty(),
        "{} broken links:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(count > 5_000, "only {count} links were found");
}

#[test]
fn every_link_of_the_markdown_resolves() {
    let mut count = 0;
    let mut faults = Vec::new();
    for page in files()
        .iter()
        .filter(|file| has_extension(file.path, "md") || file.path == "llms.txt")
    {
        let text = text(page);
        let mut is_code = false;
        let is_prose = |line: &&str| {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            !is_code && !is_fence
        };
        for line in text.lines().filter(is_prose) {
            let targets = line
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split(')').next());
            for target in targets.filter(|target| !is_elsewhere(target)) {
                count += 1;
                faults.extend(fault(page.path, target, &BTreeMap::new()));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} broken links:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(count > 1_000, "only {count} links were found");
}

#[test]
fn a_link_without_target_and_an_anchor_without_heading_are_found() {
    let anchors = anchors();
    let of = |target| fault("guides/configure.html", target, &anchors);
    assert_eq!(of("../reference/errors/m_l_e_1.html"), None);
    assert_eq!(of("#secrets"), None);
    assert!(of("absent.html").is_some_and(|fault| fault.ends_with("does not exist")));
    assert!(of("../index.html#absent").is_some_and(|fault| fault.ends_with("names no heading")));
}

#[test]
fn a_page_loads_files_of_the_site_only_and_has_nothing_inline() {
    for (page, html) in pages() {
        for tag in tags(&html) {
            let name = tag.split(' ').next().unwrap_or_default();
            let is_inline = name == "style" || (name == "script" && !tag.contains(" src=\""));
            let has_inline = [" style=", " onclick=", " onload=", "javascript:"]
                .iter()
                .any(|inline| tag.contains(inline));
            assert!(!is_inline && !has_inline, "{page}: <{tag}>");
            let is_loaded = ["script", "img", "link"].contains(&name);
            assert!(!is_loaded || !tag.contains("//"), "{page}: <{tag}>");
        }
    }
    for asset in files()
        .iter()
        .filter(|file| file.path.starts_with("assets/") && has_extension(file.path, "css"))
    {
        assert!(!text(asset).contains("url("), "{} loads a file", asset.path);
    }
}
