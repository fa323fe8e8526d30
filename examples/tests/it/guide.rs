//! The guides agree with the examples: each block of code is a piece of the file that the text before it links.

use std::fs;
use std::path::{Path, PathBuf};

/// Block of code with the last file that was linked before it.
struct Block {
    file: PathBuf,
    lines: Vec<String>,
}

/// Guides whose blocks are pieces of examples, with the number of their blocks.
const GUIDES: [(&str, usize); 2] = [("add-a-store.md", 6), ("wallet-libraries.md", 4)];

/// Returns the blocks of Rust, TOML and JavaScript in a guide.
fn blocks(guide: &Path) -> Vec<Block> {
    let mut code_blocks = Vec::new();
    let mut file = PathBuf::new();
    let mut block = None::<Vec<String>>;
    for line in fs::read_to_string(guide).unwrap().lines() {
        if let Some(lines) = &mut block {
            if line == "```" {
                code_blocks.extend(block.take().map(|lines| Block {
                    file: file.clone(),
                    lines,
                }));
            } else {
                lines.push(line.to_owned());
            }
        } else if ["```rust", "```toml", "```jsx"].contains(&line) {
            block = Some(Vec::new());
        } else if let Some((_, link)) = line.rsplit_once("](") {
            file = guide
                .parent()
                .unwrap()
                .join(link.split(')').next().unwrap());
        }
    }
    code_blocks
}

#[test]
fn code_blocks_of_the_guides_are_in_their_files() {
    for (guide, count) in GUIDES {
        let guide = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../docs/guides")
            .join(guide);
        let blocks = blocks(&guide);
        assert!(
            blocks.len() >= count,
            "only {} code blocks were parsed in {}",
            blocks.len(),
            guide.display()
        );
        for Block { file, lines } in blocks {
            let text = fs::read_to_string(&file).unwrap();
            let all_lines: Vec<_> = text.lines().collect();
            let piece = lines.join("\n");
            assert!(
                all_lines.windows(lines.len()).any(|window| window == lines),
                "not in {}:\n{piece}",
                file.display()
            );
        }
    }
}

/// Returns the methods that a trait of `voight-engine` declares, with its name in front.
fn methods(file: &str, name: &str) -> Vec<String> {
    let source = read(&format!("crates/engine/src/{file}"));
    let declaration = format!("pub trait {name}:");
    let (_, body) = source.split_once(&declaration).expect("the trait");
    let (body, _) = body.split_once("\n}").expect("the end of the trait");
    body.lines()
        .filter_map(|line| line.strip_prefix("    fn "))
        .filter_map(|line| line.split('(').next())
        .map(|method| format!("{name}::{method}"))
        .collect()
}

/// Returns the text of a file of the repository.
fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn guide_names_every_method_of_an_engine() {
    let guide = read("docs/guides/add-a-store.md");
    let mut rows: Vec<_> = guide
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split('`').next())
        .filter(|name| name.contains("Engine::"))
        .collect();
    let mut declared_methods = methods("engine.rs", "Engine");
    declared_methods.extend(methods("persistent_engine.rs", "PersistentEngine"));
    rows.sort_unstable();
    declared_methods.sort_unstable();
    assert_eq!(rows, declared_methods);
}

/// Returns the text of each file of Rust in a directory and in those below it.
fn sources(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let texts = paths.flat_map(|path| {
        if path.is_dir() {
            sources(&path)
        } else {
            vec![fs::read_to_string(path).unwrap()]
        }
    });
    texts.collect()
}

/// Returns `true` if a file declares the type and the item: a function or a variant of the type.
fn is_declared(sources: &[String], type_name: &str, item: &str) -> bool {
    let types = ["struct", "enum", "trait"].map(|kind| format!("pub {kind} {type_name}"));
    let items = [
        format!("fn {item}("),
        format!("    {item} {{"),
        format!("    {item}("),
        format!("    {item},"),
    ];
    let contains_any =
        |text: &&String, parts: &[String]| parts.iter().any(|part| text.contains(part));
    sources
        .iter()
        .any(|text| contains_any(&text, &types) && contains_any(&text, &items))
}

#[test]
fn guide_names_only_items_that_exist() {
    let guide = read("docs/guides/add-a-store.md");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = sources(&root.join("crates/engine/src"));
    let spans = guide.split('`').skip(1).step_by(2);
    let items: Vec<_> = spans
        .filter_map(|span| span.split_once("::"))
        .filter(|(type_name, _)| type_name.starts_with(char::is_uppercase))
        .collect();
    assert!(items.len() > 15, "only {} items were parsed", items.len());
    for (type_name, item) in items {
        assert!(
            is_declared(&sources, type_name, item),
            "{type_name}::{item} does not exist"
        );
    }
    assert!(!is_declared(&sources, "OpenError", "no_such_function"));
}
