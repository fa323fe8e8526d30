//! Frame of a page: title, navigation, account and notice.

use crate::PREFIX;
use crate::visit::{Theme, Visit};
use voight_domain::registry::Permission;

/// Frame of a page.
pub(crate) struct Page {
    /// Title of the page.
    pub(crate) title: String,
    /// Name of the user.
    pub(crate) user: String,
    /// Initials of the user.
    pub(crate) initials: String,
    /// Role of the user.
    pub(crate) role: &'static str,
    /// Appearance of the page.
    pub(crate) theme: Theme,
    /// Token of the forms.
    pub(crate) token: String,
    /// Groups of the navigation.
    pub(crate) navigation: Vec<NavigationGroup>,
    /// Notice above the content.
    pub(crate) notice: Option<Notice>,
    /// `true` if the user may register a context.
    pub(crate) can_operate: bool,
}

/// Group of the navigation.
pub(crate) struct NavigationGroup {
    /// Heading; empty for the first group.
    pub(crate) heading: &'static str,
    /// Links of the group.
    pub(crate) links: Vec<NavigationLink>,
}

/// Link of the navigation.
pub(crate) struct NavigationLink {
    /// Path of the page.
    pub(crate) path: String,
    /// Class of the icon.
    pub(crate) icon: &'static str,
    /// Label.
    pub(crate) label: &'static str,
    /// `true` for the page that is shown, and for the pages below it.
    pub(crate) is_current: bool,
}

/// Notice above the content.
pub(crate) struct Notice {
    /// Class of the tone.
    pub(crate) tone: &'static str,
    /// Class of the icon.
    pub(crate) icon: &'static str,
    /// Text.
    pub(crate) text: String,
}

type NavigationRow = (&'static str, &'static str, &'static str, Permission);

const NAVIGATION: [(&str, &[NavigationRow]); 3] = [
    (
        "",
        &[
            ("", "i-home", "Overview", Permission::ReadAccounts),
            ("/contexts", "i-flag", "Contexts", Permission::Read),
            ("/verdicts", "i-shield", "Verdicts", Permission::Read),
        ],
    ),
    (
        "Customers",
        &[
            ("/clients", "i-clients", "Clients", Permission::ReadAccounts),
            (
                "/usage",
                "i-bill",
                "Usage and invoices",
                Permission::ReadAccounts,
            ),
        ],
    ),
    (
        "Service",
        &[
            ("/system", "i-pulse", "System", Permission::ReadAccounts),
            ("/audit", "i-log", "Audit log", Permission::Read),
            ("/people", "i-key", "People and tokens", Permission::Own),
        ],
    ),
];

/// Notices after the redirect of a form, by the word in the address of the page.
const DONE: [(&str, &str); 14] = [
    (
        "client_created",
        "The client exists. Issue a key for its backend next.",
    ),
    ("client_changed", "The client was changed."),
    (
        "context_changed",
        "The settings are stored, and count from the next check.",
    ),
    (
        "context_archived",
        "The context is archived. It opens no new checks; its lookups are still answered.",
    ),
    ("context_reopened", "The context is open again."),
    (
        "key_revoked",
        "The key is revoked. Every request with it is rejected from now on.",
    ),
    ("invoice_paid", "The invoice is marked as paid."),
    (
        "invoice_voided",
        "The invoice is void. The next closing bills the period anew.",
    ),
    ("labelled", "The label is stored. It changes no answer."),
    (
        "overridden",
        "The verdict is overridden. Lookups get the new answer from now on.",
    ),
    (
        "erased",
        "The address is erased from all contexts. Flags and billing records stay.",
    ),
    (
        "role_changed",
        "The role is changed, and the sessions of the user have ended.",
    ),
    (
        "user_removed",
        "The user is removed, and all sessions of the user have ended.",
    ),
    ("session_ended", "The session has ended."),
];

impl Page {
    /// Creates the frame of a page for a visit.
    pub(crate) fn new(visit: &Visit, title: impl Into<String>) -> Self {
        let notice = visit.done.as_deref().and_then(Notice::of_done);
        Self {
            title: title.into(),
            user: visit.user.name.to_string(),
            initials: initials(visit.user.name.as_str()),
            role: visit.user.role.as_str(),
            theme: visit.theme,
            token: visit.form_token(),
            navigation: navigation(visit),
            notice,
            can_operate: visit.allows(Permission::Operate),
        }
    }

    /// Replaces the notice by an error of a form.
    #[must_use]
    pub(crate) fn with_error(mut self, text: &str) -> Self {
        self.notice = Some(Notice {
            tone: "no",
            icon: "i-warn",
            text: text.to_owned(),
        });
        self
    }
}

impl Notice {
    fn of_done(word: &str) -> Option<Self> {
        let (_, text) = DONE.into_iter().find(|(done, _)| *done == word)?;
        Some(Self {
            tone: "ok",
            icon: "i-ok",
            text: text.to_owned(),
        })
    }
}

fn navigation(visit: &Visit) -> Vec<NavigationGroup> {
    NAVIGATION
        .into_iter()
        .map(|(heading, rows)| NavigationGroup {
            heading,
            links: rows
                .iter()
                .filter(|(_, _, _, permission)| visit.allows(*permission))
                .map(|row| link(visit, row))
                .collect(),
        })
        .filter(|group| !group.links.is_empty())
        .collect()
}

fn link(visit: &Visit, (path, icon, label, _): &NavigationRow) -> NavigationLink {
    let path = format!("{PREFIX}{path}");
    let is_below = visit
        .path
        .strip_prefix(&path)
        .is_some_and(|rest| rest.is_empty() || path != PREFIX && rest.starts_with('/'));
    NavigationLink {
        is_current: is_below,
        path,
        icon,
        label,
    }
}

/// Returns the first letters of the first and the last word.
fn initials(name: &str) -> String {
    let mut words = name.split_whitespace();
    let first = words.next().and_then(|word| word.chars().next());
    let last = words.next_back().and_then(|word| word.chars().next());
    first
        .into_iter()
        .chain(last)
        .flat_map(char::to_uppercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_are_of_first_and_last_word() {
        assert_eq!(initials("Mara Lind"), "ML");
        assert_eq!(initials("owner"), "O");
        assert_eq!(initials("ana maria de souza"), "AS");
        assert_eq!(initials(""), "");
    }

    #[test]
    fn unknown_words_show_no_notice() {
        assert!(Notice::of_done("erased").is_some());
        assert!(Notice::of_done("<script>").is_none());
    }
}
