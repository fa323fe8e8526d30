//! Comments leave, but for those that bundlers read; everything else stays byte for byte (lines that become empty leave
//! too).
//!
//! The sources follow two rules that make this unambiguous: a regular expression literal never follows a closing
//! bracket, an identifier, a number or a text, and a division always does.

/// How comments begin that tell a bundler something about the import that they stand in.
const FOR_TOOLS: [&str; 2] = ["/* webpackIgnore:", "/* @vite-ignore"];

/// Words after which an expression begins, so that a slash begins a regular expression.
const BEFORE_EXPRESSION: [&str; 12] =
    ["return", "typeof", "case", "in", "of", "void", "delete", "throw", "new", "else", "do", "await"];

/// Strips the comments of a JavaScript module.
pub fn strip_javascript(source: &str) -> String {
    let mut stripper = Stripper::new(source);
    while let Some(next) = stripper.peek(0) {
        match (next, stripper.peek(1)) {
            ('/', Some('/')) => stripper.skip_line(),
            ('/', Some('*')) => stripper.skip_block(),
            ('/', _) if stripper.expression_may_begin() => stripper.copy_regex(),
            ('\'' | '"', _) => stripper.copy_quoted(next),
            ('`', _) => stripper.copy_template(),
            ('{', _) => stripper.open_brace(),
            ('}', _) => stripper.close_brace(),
            _ => stripper.copy(1),
        }
    }
    tidy(&stripper.out)
}

/// Strips the comments of a style sheet.
pub fn strip_css(source: &str) -> String {
    let mut stripper = Stripper::new(source);
    while let Some(next) = stripper.peek(0) {
        match (next, stripper.peek(1)) {
            ('/', Some('*')) => stripper.skip_block(),
            ('\'' | '"', _) => stripper.copy_quoted(next),
            _ => stripper.copy(1),
        }
    }
    tidy(&stripper.out)
}

/// Stands for a line end inside a template literal, whose lines are text and not layout.
const KEPT_NEWLINE: char = '\u{e000}';

/// Drops lines that hold only blanks, and blanks at line ends, outside of template literals.
fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    for line in text.lines().map(|line| line.trim_end_matches([' ', '\t'])).filter(|line| !line.is_empty()) {
        tidied.push_str(line);
        tidied.push('\n');
    }
    tidied.replace(KEPT_NEWLINE, "\n")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

struct Stripper {
    source: Vec<char>,
    at: usize,
    out: String,
    /// For each template literal that an expression interrupts: how many braces are open in the expression.
    templates: Vec<usize>,
}

impl Stripper {
    fn new(source: &str) -> Self {
        Self {
            source: source.chars().collect(),
            at: 0,
            out: String::with_capacity(source.len()),
            templates: Vec::new(),
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.source.get(self.at + ahead).copied()
    }

    fn copy(&mut self, count: usize) {
        for _ in 0..count {
            if let Some(next) = self.peek(0) {
                self.out.push(next);
                self.at += 1;
            }
        }
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|next| next != '\n') {
            self.at += 1;
        }
    }

    /// A block comment separates what stands around it: words by a blank, and lines if it holds a line end.
    fn skip_block(&mut self) {
        let start = self.at;
        self.at += 2;
        while self.at < self.source.len() && !(self.peek(0) == Some('*') && self.peek(1) == Some('/')) {
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.source.len());
        let comment: String = self.source[start..self.at].iter().collect();
        if FOR_TOOLS.iter().any(|beginning| comment.starts_with(beginning)) {
            return self.out.push_str(&comment);
        }
        let lines = comment.contains('\n');
        let words = self.out.ends_with(is_word) && self.peek(0).is_some_and(is_word);
        if lines || words {
            self.out.push(if lines { '\n' } else { ' ' });
        } else if self.peek(0) == Some(' ') && self.out.ends_with([' ', '\n', '(']) {
            self.at += 1;
        }
    }

    fn copy_quoted(&mut self, quote: char) {
        self.copy(1);
        while let Some(next) = self.peek(0) {
            self.copy(if next == '\\' { 2 } else { 1 });
            if next == quote || next == '\n' {
                return;
            }
        }
    }

    fn copy_regex(&mut self) {
        self.copy(1);
        let mut in_class = false;
        while let Some(next) = self.peek(0) {
            self.copy(if next == '\\' { 2 } else { 1 });
            match next {
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => return,
                '\n' => return,
                _ => {}
            }
        }
    }

    fn copy_template(&mut self) {
        self.copy(1);
        self.copy_template_text();
    }

    /// Copies up to the end of the literal, or into the expression that interrupts it.
    fn copy_template_text(&mut self) {
        while let Some(next) = self.peek(0) {
            match (next, self.peek(1)) {
                ('\\', _) => self.copy(2),
                ('`', _) => return self.copy(1),
                ('$', Some('{')) => {
                    self.templates.push(0);
                    return self.copy(2);
                }
                ('\n', _) => {
                    self.out.push(KEPT_NEWLINE);
                    self.at += 1;
                }
                _ => self.copy(1),
            }
        }
    }

    fn open_brace(&mut self) {
        if let Some(depth) = self.templates.last_mut() {
            *depth += 1;
        }
        self.copy(1);
    }

    /// A brace that the expression did not open ends it, and the literal goes on.
    fn close_brace(&mut self) {
        self.copy(1);
        match self.templates.last_mut() {
            Some(0) => {
                self.templates.pop();
                self.copy_template_text();
            }
            Some(depth) => *depth -= 1,
            None => {}
        }
    }

    fn expression_may_begin(&self) -> bool {
        let before = self.out.trim_end();
        let word = &before[before.trim_end_matches(is_word).len()..];
        if word.is_empty() {
            return !before.ends_with([')', ']', '}', '\'', '"', '`']);
        }
        BEFORE_EXPRESSION.contains(&word)
    }
}

#[cfg(test)]
mod tests {
    use super::{strip_css, strip_javascript};

    fn js(source: &str) -> String {
        strip_javascript(source).trim_end().to_owned()
    }

    #[test]
    fn comments_leave_with_their_lines() {
        assert_eq!(js("/** doc\n * more */\nlet a = 1; // one\n\n  // two\nlet b;"), "let a = 1;\nlet b;");
    }

    #[test]
    fn a_block_comment_separates() {
        assert_eq!(js("return/* x */1"), "return 1");
        assert_eq!(js("a = b/* x\n */c()"), "a = b\nc()");
        assert_eq!(js("f(/* x */ a, /* y */ b)"), "f(a, b)");
    }

    #[test]
    fn a_comment_for_bundlers_stays() {
        let kept = "import(/* webpackIgnore: true */ /* @vite-ignore */ a)";
        assert_eq!(js(kept), kept);
        assert_eq!(js("import(/* webpack */ a)"), "import(a)");
    }

    #[test]
    fn texts_keep_what_looks_like_a_comment() {
        for kept in [r#"a = "http://x/*y*/";"#, r"a = 'it\'s // here';", r#"a = "\\"; b = '/*';"#] {
            assert_eq!(js(kept), kept);
        }
    }

    #[test]
    fn regular_expressions_keep_what_looks_like_a_comment_or_a_text() {
        for kept in [r"a = /[/*'`]\/\//g;", r"f(/'/, b)", r"x => /`/.test(x)", r"return /\/*x/;", r"!/a\/\*b/.test(c)"]
        {
            assert_eq!(js(kept), kept);
        }
    }

    #[test]
    fn a_division_is_no_regular_expression() {
        assert_eq!(js("a = b / c; // d / e"), "a = b / c;");
        assert_eq!(js("a = (b) / 2; /* '*/ c[0] / 2 // '"), "a = (b) / 2; c[0] / 2");
        assert_eq!(js("a = 65535 / b / 'x'.length // c"), "a = 65535 / b / 'x'.length");
    }

    #[test]
    fn template_literals_keep_their_text_and_lose_the_comments_of_their_expressions() {
        assert_eq!(
            js("a = `// ${b /* c */} /* d */ \\` ${`${{ e: '}' }.e}`} //`; // f"),
            "a = `// ${b } /* d */ \\` ${`${{ e: '}' }.e}`} //`;"
        );
        assert_eq!(js("a = `one \n\n  // two`;\n\n// three"), "a = `one \n\n  // two`;");
    }

    #[test]
    fn an_open_end_loses_nothing_and_does_not_hang() {
        for kept in ["a = 'b", "a = `b ${c", "a = /b", "a = /[b"] {
            assert_eq!(js(kept), kept);
        }
        assert_eq!(js("a /* b"), "a");
    }

    #[test]
    fn style_sheets_lose_their_comments_only() {
        let css = "/* a */\nb { content: '/* c */'; d: url(\"//e\"); } /* f\n*/\ng { h: i/2; }\n";
        assert_eq!(strip_css(css), "b { content: '/* c */'; d: url(\"//e\"); }\ng { h: i/2; }\n");
    }

    #[test]
    fn stripping_twice_is_stripping_once() {
        for asset in crate::assets().filter(|asset| asset.is_script()) {
            let text = str::from_utf8(asset.bytes).unwrap();
            assert_eq!(strip_javascript(text), text, "{}", asset.path);
        }
    }
}
