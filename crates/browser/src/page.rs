//! The window's document. The service writes into it what only the service knows, and nothing a page could say.

use askama::Template;

/// What a window document is about.
#[derive(Clone, Copy, Debug)]
pub struct WindowPage<'a> {
    /// The context asked for.
    pub context: &'a str,
    /// The origin that may frame the document, and the only one that the window greets.
    pub origin: &'a str,
    /// Whether the context is a sandbox; the window then shows a banner.
    pub test: bool,
    /// `ok`, or the component's error code that a stub reports.
    pub status: &'a str,
    /// Language of the texts: what [`nearest`](crate::nearest) answered.
    pub locale: &'a str,
    /// `auto`, `light` or `dark`; `auto` unless given. The page may choose again when it answers the window.
    pub theme: Option<&'a str>,
}

/// Template of both documents.
#[derive(Template)]
#[template(path = "window.html")]
struct Document<'a> {
    page: &'a WindowPage<'a>,
    /// `false` for a page that was refused: its document holds no code that collects.
    runs_checks: bool,
}

/// The document of a window that may run a check.
///
/// # Errors
///
/// A value cannot be formatted, which is a bug.
pub fn window_document(page: &WindowPage<'_>) -> askama::Result<String> {
    Document { page, runs_checks: true }.render()
}

/// The document for a page whose origin or context was refused: it says why, and holds no code that looks at anything.
///
/// # Errors
///
/// A value cannot be formatted, which is a bug.
pub fn stub(page: &WindowPage<'_>) -> askama::Result<String> {
    Document { page, runs_checks: false }.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: WindowPage<'static> = WindowPage {
        context: "spring.01j00000000000000000000000",
        origin: "https://quest.example",
        test: false,
        status: "ok",
        locale: "en",
        theme: None,
    };

    #[test]
    fn the_document_carries_what_the_service_knows() {
        let text = window_document(&PAGE).unwrap();
        for part in [
            r#"lang="en""#,
            r#"data-origin="https://quest.example""#,
            r#"data-context="spring.01j00000000000000000000000""#,
            r#"data-test="false""#,
            r#"data-status="ok""#,
            r#"data-theme="auto""#,
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("{{"));
    }

    #[test]
    fn a_value_can_not_leave_its_attribute() {
        let hostile = r#""><script>alert('x')</script>&{{scripts}}"#;
        let text = stub(&WindowPage { context: hostile, origin: hostile, ..PAGE }).unwrap();
        let escaped = "&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#38;{{scripts}}";
        assert_eq!(text.matches(escaped).count(), 2);
        assert_eq!(text.matches("<script").count(), 1);
    }

    #[test]
    fn the_document_names_only_files_that_exist() {
        for (locale, count) in [("en", 2), ("de", 3)] {
            let text = window_document(&WindowPage { locale, ..PAGE }).unwrap();
            let named: Vec<_> = text.split("=\"/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
            assert_eq!(named.len(), count);
            for path in named {
                assert!(crate::asset(path).is_some(), "{path}");
            }
        }
    }

    #[test]
    fn a_stub_loads_no_code_that_collects() {
        let [stub_text, window_text] = ["window/v1/stub.js", "window/v1/window.js"]
            .map(|path| str::from_utf8(crate::asset(path).unwrap().bytes).unwrap());
        for collecting in ["getCoalescedEvents", "WEBGL_debug_renderer_info", "prepareStackTrace", "timeOrigin"] {
            assert!(window_text.contains(collecting) && !stub_text.contains(collecting), "{collecting}");
        }
        assert!(!stub(&PAGE).unwrap().contains("modulepreload"));
    }

    #[test]
    fn the_document_has_no_inline_script_or_style() {
        let text = window_document(&PAGE).unwrap();
        assert!(!text.contains("style=") && !text.contains("<style") && !text.contains(" on"));
        assert!(text.matches("<script").count() == text.matches("<script type=\"module\" src=").count());
    }
}
