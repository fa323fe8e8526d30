//! Comparison of the claimed operating system with other sources.

use super::timing::server_grid;
use crate::facts::{CheckFacts, OperatingSystem};

/// Minimum number of mouse and key events on one grid that indicate a display server.
const ENOUGH: usize = 20;

/// Matches if client hints, platform or graphics belong to another system than the agent string.
pub(super) fn other_system(facts: &CheckFacts) -> Option<String> {
    let env = &facts.env;
    let agent_system = OperatingSystem::of_agent(facts.ua())?;
    let describe = |what: &str, found: OperatingSystem| {
        format!("the agent string says {agent_system:?}, the {what} {found:?}")
    };
    let hint = env
        .hints
        .as_ref()
        .and_then(|hints| hints.platform.as_deref())
        .and_then(OperatingSystem::of_hint);
    if let Some(hint) = hint.filter(|hint| *hint != agent_system) {
        return Some(describe("client hints", hint));
    }
    let platform = env
        .platform
        .as_deref()
        .and_then(OperatingSystem::of_platform);
    if let Some(platform) = platform.filter(|platform| !agent_system.may_have_platform(*platform)) {
        return Some(describe("platform", platform));
    }
    let renderer_system = facts
        .renderers()
        .filter_map(OperatingSystem::of_renderer)
        .find(|system| !agent_system.may_have_platform(*system))?;
    Some(describe("graphics", renderer_system))
}

/// Matches if events keep the grid of an X server on a system that has none.
pub(super) fn foreign_grid(facts: &CheckFacts) -> Option<String> {
    let system = facts
        .system()
        .filter(|system| matches!(system, OperatingSystem::Windows | OperatingSystem::MacOs))?;
    let (events, share) = server_grid(facts)?;
    (events >= ENOUGH && share >= 0.99).then(|| {
        format!(
            "{events} events share a fraction of a millisecond, as under an X server, on {system:?}"
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{CheckBuilder, WINDOWS};
    use serde_json::json;

    /// Builds a check of Chromium on Windows, with consistent sources.
    fn windows() -> CheckBuilder {
        let mut draft = CheckBuilder::person();
        let env = &mut draft.first["env"];
        (env["ua"], env["platform"], env["hints"]["platform"]) =
            (WINDOWS.into(), "Win32".into(), "Windows".into());
        draft
    }

    #[test]
    fn one_system_everywhere_is_innocent() {
        assert_eq!(CheckBuilder::person().fires("other_system"), None);
        assert_eq!(windows().fires("other_system"), None);
        let mut bare = windows();
        bare.first["env"] = json!({"ua": WINDOWS});
        assert_eq!(bare.fires("other_system"), None);
    }

    #[test]
    fn contradicting_systems_are_reported() {
        let mut hints = windows();
        hints.first["env"]["hints"]["platform"] = "Linux".into();
        let mut platform = windows();
        platform.first["env"]["platform"] = "Linux x86_64".into();
        for draft in [hints, platform] {
            assert!(draft.fires("other_system").is_some());
        }
        for place in ["/env", "/env/worker", "/env/frame"] {
            let mut draft = windows();
            draft.first.pointer_mut(place).unwrap()["webglRenderer"] =
                "ANGLE (Mesa, llvmpipe (LLVM 15.0.6))".into();
            assert!(draft.fires("other_system").is_some(), "{place}");
        }
    }

    #[test]
    fn foreign_x_server_grid_is_reported() {
        assert!(windows().fires("foreign_grid").is_some());
        assert_eq!(
            windows().assess().bot.as_milli(),
            2000,
            "the worn agent string alone counts"
        );
        assert_eq!(
            CheckBuilder::person().fires("foreign_grid"),
            None,
            "it belongs to Linux"
        );
        let mut own_clock = windows();
        own_clock.all_rows(|at, row| row[1] += i64::try_from(at * 7 % 10).unwrap());
        assert_eq!(own_clock.fires("foreign_grid"), None);
    }
}
