//! Counters.

use super::fields::object;

object! {
    /// Events seen inside the frame since load; `raw` counts `pointerrawupdate`.
    Counts {
        moves: i64 = "move",
        raw: i64 = "raw",
        down: i64 = "down",
        up: i64 = "up",
        click: i64 = "click",
        key: i64 = "key",
        touch: i64 = "touch",
        wheel: i64 = "wheel",
    }
}

object! {
    /// Counters of the wrapping component since its first event.
    HostCounts {
        ms: f64 = "ms",
        moves: i64 = "move",
        down: i64 = "down",
        up: i64 = "up",
        click: i64 = "click",
        key: i64 = "key",
        touch: i64 = "touch",
        wheel: i64 = "wheel",
        scroll: i64 = "scroll",
        untrusted: i64 = "untrusted",
    }
}
