//! Operating system: claimed by the browser, or derived from other sources.

use crate::evidence_schema::Env;

/// An operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperatingSystem {
    Windows,
    MacOs,
    Linux,
    ChromeOs,
    Android,
    Ios,
}

impl OperatingSystem {
    /// Returns the system that an agent string names.
    pub(crate) fn of_agent(ua: &str) -> Option<Self> {
        let names = [
            ("Windows NT", Self::Windows),
            ("Android", Self::Android),
            ("iPhone", Self::Ios),
            ("iPad", Self::Ios),
            ("Macintosh", Self::MacOs),
            ("CrOS", Self::ChromeOs),
            ("Linux", Self::Linux),
        ];
        names
            .into_iter()
            .find(|(name, _)| ua.contains(name))
            .map(|(_, system)| system)
    }

    /// Returns the system that `navigator.platform` names. Android and `ChromeOS` may report Linux there.
    pub(crate) fn of_platform(platform: &str) -> Option<Self> {
        let names = [
            ("Win", Self::Windows),
            ("Mac", Self::MacOs),
            ("iPhone", Self::Ios),
            ("iPad", Self::Ios),
            ("iPod", Self::Ios),
            ("Android", Self::Android),
            ("Linux", Self::Linux),
        ];
        names
            .into_iter()
            .find(|(name, _)| platform.starts_with(name))
            .map(|(_, system)| system)
    }

    /// Returns the system that client hints name.
    pub(crate) fn of_hint(platform: &str) -> Option<Self> {
        match platform {
            "Windows" => Some(Self::Windows),
            "macOS" => Some(Self::MacOs),
            "Linux" => Some(Self::Linux),
            "Chrome OS" | "Chromium OS" => Some(Self::ChromeOs),
            "Android" => Some(Self::Android),
            "iOS" => Some(Self::Ios),
            _ => None,
        }
    }

    /// Returns the system that the name of the graphics driver reveals.
    pub(crate) fn of_renderer(renderer: &str) -> Option<Self> {
        let names = [
            ("Direct3D", Self::Windows),
            ("Metal", Self::MacOs),
            ("Mesa", Self::Linux),
            ("llvmpipe", Self::Linux),
        ];
        names
            .into_iter()
            .find(|(name, _)| renderer.contains(name))
            .map(|(_, system)| system)
    }

    /// Returns `true` if `navigator.platform` may name `platform` on this system.
    ///
    /// Systems with a Linux kernel report Linux, and Apple's tablets may present themselves as desktops and vice versa.
    pub(crate) fn may_have_platform(self, platform: Self) -> bool {
        let kernel = |system| {
            if matches!(system, Self::Android | Self::ChromeOs) {
                Self::Linux
            } else {
                system
            }
        };
        let apple = |system| matches!(system, Self::MacOs | Self::Ios);
        kernel(self) == kernel(platform) || (apple(self) && apple(platform))
    }
}

/// Returns the system on which agent string, hints, platform and graphics agree, as far as they are present.
///
/// If they disagree, no rule may rely on the system: the browser may only report another agent string.
pub(super) fn consistent_system(env: &Env) -> Option<OperatingSystem> {
    let agent_system = OperatingSystem::of_agent(env.ua.as_deref()?)?;
    let platform = env
        .platform
        .as_deref()
        .and_then(OperatingSystem::of_platform);
    let hint = env
        .hints
        .as_ref()
        .and_then(|hints| hints.platform.as_deref())
        .and_then(OperatingSystem::of_hint);
    let mut renderer_systems = renderers(env).filter_map(OperatingSystem::of_renderer);
    let agrees = platform.is_none_or(|platform| agent_system.may_have_platform(platform))
        && hint.is_none_or(|hint| hint == agent_system)
        && renderer_systems.all(|system| agent_system.may_have_platform(system));
    agrees.then_some(agent_system)
}

/// Returns the renderer names of the page, a worker and a nested frame.
pub(super) fn renderers(env: &Env) -> impl Iterator<Item = &str> {
    let copies = [&env.worker, &env.frame]
        .into_iter()
        .flatten()
        .map(|copy| &copy.webgl_renderer);
    std::iter::once(&env.webgl_renderer)
        .chain(copies)
        .filter_map(|name| name.as_deref())
}

/// Returns `true` if a browser on Linux may run under an X server.
///
/// A Wayland compositor never tells a browser the position of its window: it is the corner of the screen, or unknown.
/// Chromium then dates input by its own clock and gets fractions of pixels. An Android tablet that claims Linux to get
/// desktop pages behaves alike, and is recognised by its touch screen.
pub(super) fn may_be_x11(env: &Env) -> bool {
    let place = env.position.as_ref().and_then(|place| place.x.zip(place.y));
    place.is_some_and(|(x, y)| x.abs() + y.abs() > 0.0)
        && env.max_touch_points.is_none_or(|points| points <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::CheckBuilder;

    #[test]
    fn agents_and_platforms_are_distinguished() {
        assert_eq!(
            OperatingSystem::of_agent("Mozilla/5.0 (Linux; Android 15; K)"),
            Some(OperatingSystem::Android)
        );
        assert_eq!(
            OperatingSystem::of_agent("Mozilla/5.0 (X11; CrOS x86_64)"),
            Some(OperatingSystem::ChromeOs)
        );
        assert!(OperatingSystem::Android.may_have_platform(OperatingSystem::Linux));
        assert!(OperatingSystem::MacOs.may_have_platform(OperatingSystem::Ios));
        assert!(!OperatingSystem::Windows.may_have_platform(OperatingSystem::Linux));
    }

    #[test]
    fn foreign_agent_leaves_the_system_open() {
        let mut draft = CheckBuilder::person();
        assert_eq!(draft.facts().system(), Some(OperatingSystem::Linux));
        draft.first["env"]["frame"]["webglRenderer"] = "ANGLE (NVIDIA, Direct3D11)".into();
        assert_eq!(draft.facts().system(), None);
        let mut draft = CheckBuilder::person();
        draft.first["env"]["platform"] = "Win32".into();
        assert_eq!(draft.facts().system(), None);
        let mut draft = CheckBuilder::person();
        draft.first["env"]["hints"]["platform"] = "Windows".into();
        assert_eq!(draft.facts().system(), None);
    }
}
