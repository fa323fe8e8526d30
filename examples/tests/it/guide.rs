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
