//! Pages of the repository: their links resolve, and retired words stay out of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use voight_tests::paths;

/// Private words of early versions, and the terms that replaced them.
const RETIRED: [(&str, &str); 10] = [
    (
        "whoever",
        "the actor: client, visitor, operator, platform, caller",
    ),
    ("nobody", "no client, no visitor"),
    ("somebody", "the actor"),
    ("anybody", "the actor"),
    ("everybody", "all clients, all visitors"),
    ("yardstick", "baseline"),
    ("twins", "in-flight idempotency lock"),
    ("99 of 100", "p99"),
    ("log in front", "write-ahead log"),
    ("served its time", "expired"),
];

/// Names of earlier versions, with the names that replace them. They stay out of code, documents and texts.
const RETIRED_NAMES: [(&str, &str); 15] = [
    ("accept_time", "acknowledge_clock"),
    ("anchor_day", "period_start_day"),
    ("budget_mib", "max_size_mib"),
    ("claimed_flags", "unverified_flags"),
    ("cohort", "population"),
    ("moves_to_bound", "moves_to_owned"),
    ("opening_days", "address_retention_days"),
    ("score_percent", "score_hundredths"),
    ("sensitivity", "min_confidence"),
    ("tally", "result"),
    ("torture", "faults"),
    ("unarchive", "restore"),
    ("until_bound", "until_owned"),
    ("yardstick", "baseline"),
    ("zoo", "bot corpus"),
];

/// Pronouns with which no name of a function begins: it begins with its subject or with a verb.
const PRONOUNS: [&str; 8] = [
    "what_",
    "whatever_",
    "who_",
    "whoever_",
    "whose_",
    "nothing_",
    "nobody_",
    "everything_",
];

/// Longest README, in lines.
const README_LINES: usize = 150;

/// Returns the pages, relative to the repository.
fn pages() -> Vec<PathBuf> {
    let pages = paths::committable(&["*.md"]);
    assert!(pages.len() > 50, "only {} pages were found", pages.len());
    pages
}

fn read(page: &Path) -> String {
    fs::read_to_string(paths::repository().join(page))
        .unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// Returns the lines of a page outside of fenced code.
fn prose(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let is_prose = |line: &&str| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    };
    text.lines().filter(is_prose).collect()
}

/// Returns the anchor of a heading, as code hosts compute it.
fn anchor(heading: &str) -> String {
    let characters = heading
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    characters
        .collect::<String>()
        .to_lowercase()
        .replace(' ', "-")
}

fn anchors(page: &Path) -> BTreeSet<String> {
    let text = read(page);
    let headings = prose(&text)
        .into_iter()
        .filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

/// Returns the targets of the links of a page that are in the repository.
fn links(text: &str) -> Vec<&str> {
    let targets = prose(text)
        .into_iter()
        .flat_map(|line| line.split("](").skip(1));
    let targets = targets
        .filter_map(|link| link.split_once(')'))
        .map(|(target, _)| target);
    targets
        .filter(|target| !target.contains("://") && !target.starts_with("mailto:"))
        .collect()
}

/// Resolves a link of `page`, without `.` and `..`.
fn resolved(page: &Path, target: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in page
        .parent()
        .unwrap_or(Path::new(""))
        .join(target)
        .components()
    {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path
}

/// Returns the first fault of a link, if it has one.
fn fault(page: &Path, target: &str) -> Option<String> {
    let (path, wanted) = target
        .split_once('#')
        .map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() {
        page.to_owned()
    } else {
        resolved(page, path)
    };
    if !paths::repository().join(&file).exists() {
        return Some(format!("{}: {target} does not exist", page.display()));
    }
    let is_page = file.extension().is_some_and(|extension| extension == "md");
    let is_missing = is_page && wanted.is_some_and(|anchor| !anchors(&file).contains(anchor));
    is_missing.then(|| format!("{}: {target} names no heading", page.display()))
}

#[test]
fn every_link_and_anchor_of_the_pages_resolves() {
    let mut count = 0;
    let mut faults = Vec::new();
    for page in pages() {
        let text = read(&page);
        let links = links(&text);
        count += links.len();
        faults.extend(links.into_iter().filter_map(|target| fault(&page, target)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 200, "only {count} links were found");
}

#[test]
fn a_link_without_target_and_an_anchor_without_heading_are_found() {
    let page = Path::new("docs/contributing.md");
    assert_eq!(fault(page, "explanation/architecture.md#code-map"), None);
    assert!(
        fault(page, "explanation/missing.md")
            .is_some_and(|fault| fault.ends_with("does not exist"))
    );
    assert!(
        fault(page, "explanation/architecture.md#missing")
            .is_some_and(|fault| fault.ends_with("no heading"))
    );
    assert_eq!(
        links("[a](b.md) and [c](https://c.example)\n```\n[d](e.md)\n```\n"),
        ["b.md"]
    );
    assert_eq!(
        anchor(" Backend helper (`getVerdict`)"),
        "backend-helper-getverdict"
    );
}

/// Returns the paths that a text names in backquotes, relative to the repository or to the text. `a/{b,c}` names two paths.
fn named_paths(text: &str) -> Vec<String> {
    let spans = text.split('`').skip(1).step_by(2);
    let paths = spans.filter(|span| {
        ["crates/", "tests/", "examples/", "docs/"]
            .iter()
            .any(|root| span.starts_with(root))
    });
    // Placeholders, patterns and code are not paths.
    let paths = paths
        .filter(|path| {
            !path.contains(|c: char| c.is_uppercase() || "*<…: ".contains(c))
                || path.contains("README")
        })
        .filter(|path| !path.contains("NAME"));
    paths.flat_map(expanded).collect()
}

/// Returns the alternatives of the first braces of a path.
fn expanded(path: &str) -> Vec<String> {
    let parts = path
        .split_once('{')
        .and_then(|(head, rest)| Some((head, rest.split_once('}')?)));
    let Some((head, (names, tail))) = parts else {
        return vec![path.to_owned()];
    };
    names
        .split(',')
        .map(|name| format!("{head}{name}{tail}"))
        .collect()
}

#[test]
fn every_path_that_a_page_names_exists() {
    let mut count = 0;
    let mut faults = Vec::new();
    // The changelog and the decisions describe earlier versions.
    let is_exempt =
        |page: &Path| page == Path::new("docs/changelog.md") || page.starts_with("docs/adr");
    for page in pages().into_iter().filter(|page| !is_exempt(page)) {
        let text = prose(&read(&page)).join("\n");
        for path in named_paths(&text) {
            count += 1;
            let parents = [Path::new(""), page.parent().unwrap_or(Path::new(""))];
            if !parents
                .iter()
                .any(|parent| paths::repository().join(parent).join(&path).exists())
            {
                faults.push(format!("{}: `{path}` does not exist", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 150, "only {count} paths were found");
}

#[test]
fn path_in_backquotes_is_found() {
    let text = "`tests/{e2e,faults}/` and `crates/app`, but not `GET /docs/a`, `crates/PART.json` or tests/e2e";
    assert_eq!(
        named_paths(text),
        ["tests/e2e/", "tests/faults/", "crates/app"]
    );
}

#[test]
fn readme_is_short() {
    let lines = read(Path::new("README.md")).lines().count();
    assert!(
        lines <= README_LINES,
        "README.md has {lines} lines, at most {README_LINES} are allowed"
    );
}

/// Returns the retired words of a text in any case.
fn retired(text: &str) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    words_of(&RETIRED, text)
}

/// Returns the words of a list that a text contains in any case.
fn words_of(
    list: &'static [(&'static str, &'static str)],
    text: &str,
) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let text = text.to_lowercase();
    let has = move |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            !is_letter(text[..at].chars().next_back())
                && !is_letter(text[at + word.len()..].chars().next())
        })
    };
    list.iter().filter(move |(word, _)| has(word))
}

/// Returns the comments of a Rust source.
fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(number, line)| {
        line.trim_start()
            .strip_prefix("//")
            .map(|comment| (number + 1, comment))
    })
}

#[test]
fn retired_words_stay_out_of_pages_and_comments() {
    let mut faults = Vec::new();
    // The changelog describes earlier versions, and the rule table quotes the policy of a release.
    let exempt = ["docs/changelog.md", "docs/reference/rules.md"].map(Path::new);
    for page in pages()
        .into_iter()
        .filter(|page| !exempt.contains(&page.as_path()))
    {
        let text = read(&page);
        for line in prose(&text) {
            let retired_words = retired(line)
                .map(|(word, term)| format!("{}: {word:?}; write {term}: {line}", page.display()));
            faults.extend(retired_words);
        }
    }
    for source in paths::committable(&["*.rs"])
        .into_iter()
        .filter(|source| source != Path::new("tests/e2e/documents.rs"))
    {
        let text = read(&source);
        for (number, comment) in comments(&text) {
            faults.extend(retired(comment).map(|(word, term)| {
                format!("{}:{number}: {word:?}; write {term}", source.display())
            }));
        }
    }
    assert!(
        faults.is_empty(),
        "{} retired words:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn retired_names_stay_out_of_code_and_documents() {
    let kinds = [
        "*.rs", "*.js", "*.mjs", "*.json", "*.toml", "*.sql", "*.html", "*.css", "*.md",
    ];
    // The changelog and the decisions describe earlier versions.
    let is_exempt = |path: &Path| {
        path == Path::new("docs/changelog.md")
            || path.starts_with("docs/adr")
            || path.ends_with("tests/e2e/documents.rs")
    };
    let mut faults = Vec::new();
    for source in paths::committable(&kinds)
        .into_iter()
        .filter(|source| !is_exempt(source))
    {
        let text = read(&source);
        faults.extend(
            words_of(&RETIRED_NAMES, &text)
                .map(|(name, new)| format!("{}: {name}; write {new}", source.display())),
        );
    }
    assert!(
        faults.is_empty(),
        "{} retired names:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Returns the names of the functions of a Rust source.
fn function_names(text: &str) -> impl Iterator<Item = &str> {
    let names = text
        .split("fn ")
        .skip(1)
        .filter_map(|words| words.split(['(', '<']).next());
    names.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

#[test]
fn no_function_name_begins_with_a_pronoun() {
    let mut faults = Vec::new();
    for source in paths::committable(&["*.rs"]) {
        let text = read(&source);
        let begins_so = |name: &&str| PRONOUNS.iter().any(|pronoun| name.starts_with(pronoun));
        faults.extend(
            function_names(&text)
                .filter(begins_so)
                .map(|name| format!("{}: {name}", source.display())),
        );
    }
    assert!(
        faults.is_empty(),
        "begin the names of these functions with their subject:\n{}",
        faults.join("\n")
    );
    assert_eq!(
        function_names("fn a() {} async fn b<T>(fn ()) {}").collect::<Vec<_>>(),
        ["a", "b", ""]
    );
}

#[test]
fn retired_word_matches_whole_words_in_any_case() {
    let words = |text: &str| retired(text).map(|(word, _)| *word).collect::<Vec<_>>();
    assert_eq!(
        words("Whoever asks, and nobody else"),
        ["whoever", "nobody"]
    );
    assert_eq!(words("the answers of 99 of 100 calls"), ["99 of 100"]);
    assert_eq!(words("nobodyelse"), Vec::<&str>::new());
}
