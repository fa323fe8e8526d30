//! Document of the window. The service writes only its own data into it, and nothing that a page supplies as text.

use askama::Template;

/// Parameters of a window document.
#[derive(Clone, Copy, Debug)]
pub struct WindowPage<'a> {
    /// Requested context.
    pub context: &'a str,
    /// Origin that may frame the document, and the only one to which the window sends its greeting.
    pub origin: &'a str,
    /// `true` for a context of the sandbox; the window then shows a banner.
    pub test: bool,
    /// Status: `ok`, or the component's error code that a stub reports.
    pub status: &'a str,
    /// Request id of the document, which a stub reports.
    pub reference: &'a str,
    /// Language of the texts: a result of [`nearest`](crate::nearest).
    pub locale: &'a str,
    /// Theme: `auto` (default), `light` or `dark`. The page may set another one when it answers the window.
    pub theme: Option<&'a str>,
}

/// Template of both documents.
#[derive(Template)]
#[template(path = "window.html")]
struct Document<'a> {
    page: &'a WindowPage<'a>,
    /// `false` for a rejected page: its document contains no code that collects evidence.
    runs_checks: bool,
}

/// Renders the document of a window that may run a check.
///
/// # Errors
///
/// Fails if a value cannot be formatted, which is a bug.
pub fn window_document(page: &WindowPage<'_>) -> askama::Result<String> {
    Document {
        page,
        runs_checks: true,
    }
    .render()
}

/// Renders the document for a page whose origin or context was rejected. It reports the reason and contains no code that
/// collects evidence.
///
/// # Errors
///
/// Fails if a value cannot be formatted, which is a bug.
pub fn stub(page: &WindowPage<'_>) -> askama::Result<String> {
    Document {
        page,
        runs_checks: false,
    }
    .render()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: WindowPage<'static> = WindowPage {
        context: "spring.01j00000000000000000000000",
        origin: "https://quest.example",
        test: false,
        status: "ok",
        reference: "",
        locale: "en",
        theme: None,
    };

    #[test]
    fn document_contains_the_settings_of_the_service() {
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
        let text = stub(&WindowPage {
            context: hostile,
            origin: hostile,
            ..PAGE
        })
        .unwrap();
        let escaped =
            "&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#38;{{scripts}}";
        assert_eq!(text.matches(escaped).count(), 2);
        assert_eq!(text.matches("<script").count(), 1);
    }

    #[test]
    fn the_document_names_only_files_that_exist() {
        for (locale, count) in [("en", 2), ("de", 3)] {
            let text = window_document(&WindowPage { locale, ..PAGE }).unwrap();
            let named: Vec<_> = text
                .split("=\"/")
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap())
                .collect();
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
        for collecting in [
            "getCoalescedEvents",
            "WEBGL_debug_renderer_info",
            "prepareStackTrace",
            "timeOrigin",
        ] {
            assert!(
                window_text.contains(collecting) && !stub_text.contains(collecting),
                "{collecting}"
            );
        }
        assert!(!stub(&PAGE).unwrap().contains("modulepreload"));
    }

    #[test]
    fn the_document_has_no_inline_script_or_style() {
        let text = window_document(&PAGE).unwrap();
        assert!(!text.contains("style=") && !text.contains("<style") && !text.contains(" on"));
        assert!(
            text.matches("<script").count() == text.matches("<script type=\"module\" src=").count()
        );
    }
}
