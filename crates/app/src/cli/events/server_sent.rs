//! Parser of server-sent events.

use std::io::{self, BufRead};

/// Block of a stream of server-sent events: an event, or a comment without data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Block {
    /// The cursor with which the stream resumes after the block.
    pub(super) id: Option<String>,
    /// The data of the event; empty for a comment.
    pub(super) data: String,
}

/// Reads the next block; `None` at the end of the stream. A block without its empty line is incomplete and is not returned.
pub(super) fn read_block(lines: &mut impl BufRead) -> io::Result<Option<Block>> {
    let mut block = Block::default();
    let mut line = String::new();
    loop {
        line.clear();
        if lines.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let text = line.trim_end_matches(['\r', '\n']);
        if text.is_empty() {
            return Ok(Some(block));
        }
        let (field, value) = text.split_once(':').unwrap_or((text, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => block.id = Some(value.to_owned()),
            "data" => block.data.push_str(value),
            // Comments, and fields that this command does not need.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(mut text: &[u8]) -> Vec<Block> {
        let mut blocks = Vec::new();
        while let Some(block) = read_block(&mut text).unwrap() {
            blocks.push(block);
        }
        blocks
    }

    #[test]
    fn events_and_comments_are_separated() {
        let text = b": begin\nid: 5000\n\nid: a-1\nevent: key.issued\ndata: {\"number\":1}\n\nid:a-2\r\ndata:{}\r\n\r\n";
        let block = |id: &str, data: &str| Block {
            id: Some(id.to_owned()),
            data: data.to_owned(),
        };
        assert_eq!(
            blocks(text),
            [
                block("5000", ""),
                block("a-1", "{\"number\":1}"),
                block("a-2", "{}")
            ]
        );
    }

    #[test]
    fn incomplete_block_is_not_returned() {
        assert_eq!(blocks(b"id: a-1\ndata: {}\n"), []);
        assert_eq!(blocks(b""), []);
    }
}
