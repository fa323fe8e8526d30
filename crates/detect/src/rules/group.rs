//! Cause groups.

/// Group of rules that one innocent cause could make fire together. Only the largest weight of a group counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CauseGroup {
    /// Declared automation, by a developer who tests or by a bot.
    DeclaredAutomation,
    /// Open developer tools.
    DeveloperTools,
    /// System whose events carry times of another format.
    EventTimeGrid,
    /// Screen that is as fast as the pointing device.
    Coalescing,
    /// Device or driver that reports unusual pressure.
    Pressure,
    /// Page that is zoomed or transformed.
    FractionalCoordinates,
    /// Pointing aid that jumps, taps without holding, or snaps to targets.
    TeleportOrZeroHold,
    /// Extension that prevents tracking or changes the agent string.
    EnvironmentMismatch,
    /// Software that types for a visitor.
    KeyboardRhythm,
    /// Extension that clicks for a visitor.
    SyntheticEvents,
    /// One recorded movement that was presented for several addresses.
    TraceReuse,
    /// Device or network that several people share; never one of the two groups that a flag needs.
    DeviceOrNetwork,
    /// Proxy that changes headers.
    Transport,
    /// Visitor whose hand moves unusually.
    Kinematics,
}

impl CauseGroup {
    /// Returns the stable name of the group.
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

    /// Returns `true` if the group may be one of the two that a flag without a hard rule needs.
    pub const fn convicts(self) -> bool {
        !matches!(self, Self::DeviceOrNetwork)
    }
}
