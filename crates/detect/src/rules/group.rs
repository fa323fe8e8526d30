//! Cause groups.

/// Group of rules that one innocent cause could make fire together. Only the largest weight of a group counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CauseGroup {
    /// Declared automation, by a developer who tests or by a bot.
    DeclaredAutomation,
    /// Open developer tools.
    DeveloperTools,
    /// A system whose events carry times of another make.
    EventTimeGrid,
    /// A screen that is as fast as the pointing device.
    Coalescing,
    /// A device or driver that reports its pressure oddly.
    Pressure,
    /// A page that is zoomed or transformed.
    FractionalCoordinates,
    /// A pointing aid that jumps, taps without holding, or snaps to targets.
    TeleportOrZeroHold,
    /// An extension against tracking, or one that changes the agent string.
    EnvironmentMismatch,
    /// Software that types for somebody.
    KeyboardRhythm,
    /// An extension that clicks for somebody.
    SyntheticEvents,
    /// The same recorded movement presented for several addresses.
    TraceReuse,
    /// A device or network that several people share; never one of the two groups that a flag needs.
    DeviceOrNetwork,
    /// A proxy that changes headers.
    Transport,
    /// A hand that moves unlike others.
    Kinematics,
}

impl CauseGroup {
    /// The group's stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DeclaredAutomation => "declared_automation",
            Self::DeveloperTools => "developer_tools",
            Self::EventTimeGrid => "event_time_grid",
            Self::Coalescing => "coalescing",
            Self::Pressure => "pressure",
            Self::FractionalCoordinates => "fractional_coordinates",
            Self::TeleportOrZeroHold => "teleport_or_zero_hold",
            Self::EnvironmentMismatch => "environment_mismatch",
            Self::KeyboardRhythm => "keyboard_rhythm",
            Self::SyntheticEvents => "synthetic_events",
            Self::TraceReuse => "trace_reuse",
            Self::DeviceOrNetwork => "device_or_network",
            Self::Transport => "transport",
            Self::Kinematics => "kinematics",
        }
    }

    /// Whether it may be one of the two groups that a flag without a hard rule needs.
    pub const fn convicts(self) -> bool {
        !matches!(self, Self::DeviceOrNetwork)
    }
}
