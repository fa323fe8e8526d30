//! The guide agrees with the example: each block of code is a piece of the file that the text before it links.

use std::fs;
use std::path::{Path, PathBuf};

/// Block of code with the last file that was linked before it.
struct Block {
    file: PathBuf,
    lines: Vec<String>,
}

/// Returns the blocks of Rust and TOML in the guide.
fn blocks(guide: &Path) -> Vec<Block> {
    let (mut code_blocks, mut file, mut block) = (Vec::new(), PathBuf::new(), None::<Vec<String>>);
    for line in fs::read_to_string(guide).unwrap().lines() {
        if let Some(lines) = &mut block {
            if line == "```" {
                code_blocks.extend(block.take().map(|lines| Block { file: file.clone(), lines }));
            } else {
                lines.push(line.to_owned());
            }
        } else if line == "```rust" || line == "```toml" {
            block = Some(Vec::new());
        } else if let Some((_, link)) = line.rsplit_once("](") {
            file = guide.parent().unwrap().join(link.split(')').next().unwrap());
        }
    }
    code_blocks
}

#[test]
fn every_code_block_of_the_guide_is_in_its_file() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guides/add-a-store.md");
    let blocks = blocks(&guide);
    assert!(blocks.len() >= 6, "only {} code blocks were parsed in the guide", blocks.len());
    for Block { file, lines } in blocks {
        let text = fs::read_to_string(&file).unwrap();
        let whole: Vec<_> = text.lines().collect();
        let piece = lines.join("\n");
        assert!(whole.windows(lines.len()).any(|window| window == lines), "not in {}:\n{piece}", file.display());
    }
}
