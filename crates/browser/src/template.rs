//! Documents with places to fill in.

/// Fills each place `{{name}}` of a template by `value` once, from left to right, so that a value that looks like a place stays
/// text.
pub fn fill(template: &str, value: impl Fn(&str, &mut String)) -> String {
    let mut filled = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}").unwrap_or((after, ""));
        filled.push_str(before);
        value(name, &mut filled);
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

/// Makes a text safe as text and inside a quoted attribute.
pub fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            _ => into.push(c),
        }
    }
}
