//! Where in a TOML file a key is.

/// The line, from 1, on which `key` (dotted) is set; the best guess for keys that are written in unusual ways.
pub(super) fn line_of(text: &str, key: &str) -> Option<usize> {
    let mut section = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            name.trim().clone_into(&mut section);
            if section == key {
                return Some(number + 1);
            }
        } else if let Some((name, _)) = line.split_once('=') {
            let name = name.trim().trim_matches('"');
            let full = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
            if full == key || key.strip_prefix(full.as_str()).is_some_and(|rest| rest.starts_with('.')) {
                return Some(number + 1);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_sections_dotted_and_inline() {
        let text = "log.json = true\n\n[server]\n# a comment\nlisten = \"x\"\n[limits]\n  enabled = false\n";
        assert_eq!(line_of(text, "log.json"), Some(1));
        assert_eq!(line_of(text, "server.listen"), Some(5));
        assert_eq!(line_of(text, "limits.enabled"), Some(7));
        assert_eq!(line_of("server = { lisen = 1 }", "server.lisen"), Some(1));
        assert_eq!(line_of(text, "server.workers"), None);
    }
}
