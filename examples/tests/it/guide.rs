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
    let (mut code_blocks, mut file, mut block) = (Vec::new(), PathBuf::new(), None::<Vec<String>>);
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
            let whole: Vec<_> = text.lines().collect();
            let piece = lines.join("\n");
            assert!(
                whole.windows(lines.len()).any(|window| window == lines),
                "not in {}:\n{piece}",
                file.display()
            );
        }
    }
}

/// Returns the names of the methods that a trait declares.
fn methods(source: &str, declaration: &str) -> Vec<String> {
    let body = source.split(declaration).nth(1).expect("the trait");
    let body = body.split("\n}").next().expect("its end");
    body.lines()
        .filter_map(|line| line.strip_prefix("    fn "))
        .filter_map(|line| line.split('(').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn guide_names_every_method_of_an_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let guide = read("docs/guides/add-a-store.md");
    let rows: Vec<_> = guide
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split('`').next())
        .filter(|name| name.contains("Engine::"))
        .map(str::to_owned)
        .collect();
    let engine = methods(&read("crates/embedded/src/engine.rs"), "pub trait Engine:");
    let persistent = methods(
        &read("crates/embedded/src/persistent_engine.rs"),
        "pub trait PersistentEngine:",
    );
    let mut expected: Vec<_> = engine
        .iter()
        .map(|name| format!("Engine::{name}"))
        .chain(
            persistent
                .iter()
                .map(|name| format!("PersistentEngine::{name}")),
        )
        .collect();
    let mut named = rows;
    named.sort();
    expected.sort();
    assert_eq!(named, expected);
}
