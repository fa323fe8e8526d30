//! HTML of a Markdown page.

use crate::anchor::Anchors;
use crate::highlight::{escape, highlight};
use crate::link::OPTIONS;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Parser, Tag, TagEnd, html};

/// Rendered page.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    /// HTML without the title.
    pub(crate) html: String,
    /// First heading.
    pub(crate) title: String,
    /// Text of the first paragraph.
    pub(crate) lead: String,
    /// Headings with their text, for search; the first one is the title.
    pub(crate) sections: Vec<Section>,
}

/// Heading, and the text up to the next one.
#[derive(Debug, Default)]
pub(crate) struct Section {
    /// 1 for the title.
    pub(crate) level: u8,
    pub(crate) anchor: String,
    pub(crate) heading: String,
    pub(crate) text: String,
}

/// Renders a page. `link` returns the address of a link or an image.
pub(crate) fn render(markdown: &str, link: impl Fn(&str) -> String) -> Rendered {
    let mut renderer = Renderer::default();
    let mut events = Parser::new_ext(markdown, OPTIONS).peekable();
    while let Some(event) = events.next() {
        let is_empty_cell = matches!(events.peek(), Some(Event::End(TagEnd::TableCell)));
        renderer.add(with_address(event, &link), is_empty_cell);
    }
    html::push_html(&mut renderer.page.html, renderer.events.into_iter());
    renderer.page
}

/// Replaces the target of a link or an image by its address in the site.
fn with_address(event: Event<'_>, link: impl Fn(&str) -> String) -> Event<'_> {
    match event {
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: link(&dest_url).into(),
            title,
            id,
        }),
        Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Image {
            link_type,
            dest_url: link(&dest_url).into(),
            title,
            id,
        }),
        event => event,
    }
}

/// State while the events of a page are read.
#[derive(Default)]
struct Renderer<'a> {
    page: Rendered,
    events: Vec<Event<'a>>,
    anchors: Anchors,
    /// Events and text of the heading that is read.
    heading: Option<(Vec<Event<'a>>, String)>,
    /// Language and text of the code block that is read.
    code: Option<(String, String)>,
    alignments: Vec<Alignment>,
    column: usize,
    is_head: bool,
    /// `true` while the first paragraph is read.
    is_lead: bool,
}

impl<'a> Renderer<'a> {
    fn add(&mut self, event: Event<'a>, is_empty_cell: bool) {
        match event {
            Event::Start(Tag::Heading { .. }) => self.heading = Some((Vec::new(), String::new())),
            Event::End(TagEnd::Heading(level)) => self.end_heading(level as u8),
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = if let CodeBlockKind::Fenced(info) = kind {
                    info.to_string()
                } else {
                    String::new()
                };
                self.code = Some((language, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => self.end_code(),
            Event::Start(Tag::Table(alignments)) => {
                self.alignments = alignments;
                self.push_html("<div class=\"table\" tabindex=\"0\"><table>".to_owned());
            }
            Event::End(TagEnd::Table) => self.push_html("</tbody></table></div>".to_owned()),
            Event::Start(Tag::TableHead) => self.start_row("<thead><tr>", true),
            Event::End(TagEnd::TableHead) => self.push_html("</tr></thead><tbody>".to_owned()),
            Event::Start(Tag::TableRow) => self.start_row("<tr>", false),
            Event::End(TagEnd::TableRow) => self.push_html("</tr>".to_owned()),
            Event::Start(Tag::TableCell) => self.start_cell(is_empty_cell),
            Event::End(TagEnd::TableCell) => {
                self.push_text(" ");
                self.push_html(if self.is_head { "</th>" } else { "</td>" }.to_owned());
            }
            // Comments mark blocks that tests run; the pages have no other HTML.
            Event::Html(_) | Event::InlineHtml(_) => {}
            event => self.add_text(event),
        }
    }

    /// Adds an event that may have text.
    fn add_text(&mut self, event: Event<'a>) {
        match &event {
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, code)) = &mut self.code {
                    code.push_str(text);
                    return;
                }
                self.push_text(text);
            }
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Item) => self.push_text(" "),
            Event::Start(Tag::Paragraph) => self.is_lead = self.page.lead.is_empty(),
            Event::End(TagEnd::Paragraph) => {
                self.is_lead = false;
                self.push_text(" ");
            }
            _ => {}
        }
        self.push(event);
    }

    fn push(&mut self, event: Event<'a>) {
        match &mut self.heading {
            Some((events, _)) => events.push(event),
            None => self.events.push(event),
        }
    }

    fn push_html(&mut self, html: String) {
        self.push(Event::Html(html.into()));
    }

    fn push_text(&mut self, text: &str) {
        if let Some((_, heading)) = &mut self.heading {
            heading.push_str(text);
            return;
        }
        if self.is_lead {
            self.page.lead.push_str(text);
        }
        if let Some(section) = self.page.sections.last_mut() {
            section.text.push_str(text);
        }
    }

    fn end_heading(&mut self, level: u8) {
        let Some((events, heading)) = self.heading.take() else {
            return;
        };
        let anchor = self.anchors.next(&heading);
        let is_title = self.page.title.is_empty();
        if is_title {
            self.page.title.clone_from(&heading);
        } else {
            // A heading without links of its own is a link to itself.
            let is_plain = !events
                .iter()
                .any(|event| matches!(event, Event::Start(Tag::Link { .. })));
            let (open, close) = if is_plain {
                (format!("<a href=\"#{anchor}\">"), "</a>")
            } else {
                (String::new(), "")
            };
            self.push_html(format!("<h{level} id=\"{anchor}\">{open}"));
            self.events.extend(events);
            self.push_html(format!("{close}</h{level}>\n"));
        }
        self.page.sections.push(Section {
            level,
            anchor,
            heading,
            text: String::new(),
        });
    }

    fn end_code(&mut self) {
        let Some((language, code)) = self.code.take() else {
            return;
        };
        self.push_text(&code);
        let html = highlight(&code, &language);
        self.push_html(format!(
            "<pre tabindex=\"0\"><code class=\"language-{}\">{html}</code></pre>\n",
            escape(&language)
        ));
    }

    fn start_row(&mut self, html: &str, is_head: bool) {
        self.column = 0;
        self.is_head = is_head;
        self.push_html(html.to_owned());
    }

    fn start_cell(&mut self, is_empty: bool) {
        let class = match self.alignments.get(self.column) {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"center\"",
            _ => "",
        };
        self.column += 1;
        self.push_html(match self.is_head {
            // An empty cell names no column.
            true if is_empty => "<th aria-hidden=\"true\">".to_owned(),
            true => format!("<th scope=\"col\"{class}>"),
            false => format!("<td{class}>"),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        render(markdown, str::to_owned).html
    }

    #[test]
    fn the_title_is_apart_and_headings_link_to_themselves() {
        let page = render(
            "# A `b`\n\nLead *text*\nof it.\n\n## C\n\nMore.\n",
            str::to_owned,
        );
        assert_eq!(
            (page.title.as_str(), page.lead.as_str()),
            ("A b", "Lead text of it.")
        );
        assert!(
            page.html.contains("<h2 id=\"c\"><a href=\"#c\">C</a></h2>")
                && !page.html.contains("<h1"),
            "{}",
            page.html
        );
        let section = page.sections.last().unwrap();
        assert_eq!(
            (section.level, section.heading.as_str(), section.text.trim()),
            (2, "C", "More.")
        );
    }

    #[test]
    fn heading_with_a_link_is_not_a_link() {
        assert!(html("# A\n## [B](c.md)\n").contains("<h2 id=\"b\"><a href=\"c.md\">B</a></h2>"));
    }

    #[test]
    fn addresses_of_links_and_images_are_replaced() {
        let page = render("[a](b.md) ![c](d.png)", |target| format!("x/{target}"));
        assert!(
            page.html.contains("href=\"x/b.md\"") && page.html.contains("src=\"x/d.png\""),
            "{}",
            page.html
        );
    }

    #[test]
    fn a_table_scrolls_by_itself_and_has_no_inline_style() {
        let table = html("| | b |\n|---|--:|\n| c | 1 |\n");
        assert!(table.starts_with(
            "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th aria-hidden=\"true\"></th>"
        ));
        assert!(table.contains(
            "<th scope=\"col\" class=\"right\">b</th></tr></thead><tbody><tr><td>c</td><td class=\"right\">1</td></tr>"
        ));
        assert!(!table.contains("style="));
    }

    #[test]
    fn comments_and_other_html_are_left_out() {
        assert_eq!(
            html("<!-- run: a -->\n```sh\na\n```\n"),
            "<pre tabindex=\"0\"><code class=\"language-sh\">a\n</code></pre>\n"
        );
        assert_eq!(html("<script>x</script>\n"), "");
    }
}
