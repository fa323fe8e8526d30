//! Event counters.

use super::fields::object;

object! {
    /// Events seen inside the frame since load; `raw` counts `pointerrawupdate`.
    Counts {
        moves: i64 = "move": "How often the pointer moved: a path has to fit its count.",
        raw: i64 = "raw": "How often the pointer moved as the hardware tells it, which is more often than a page is told.",
        down: i64 = "down": "How often something was pressed.",
        up: i64 = "up": "How often something was let go.",
        click: i64 = "click": "How often something was clicked.",
        key: i64 = "key": "How many keys were pressed, never which.",
        touch: i64 = "touch": "How often a finger touched, moved or left.",
        wheel: i64 = "wheel": "How often a wheel was turned.",
    }
}

object! {
    /// Counters of the wrapping component since its first event.
    HostCounts {
        ms: f64 = "ms": "For how long these were counted.",
        moves: i64 = "move": "How often the pointer moved on the page, never where.",
        down: i64 = "down": "How often something was pressed on the page.",
        up: i64 = "up": "How often something was let go on the page.",
        click: i64 = "click": "How often something was clicked on the page.",
        key: i64 = "key": "How many keys were pressed on the page, never which.",
        touch: i64 = "touch": "How often a finger touched the page.",
        wheel: i64 = "wheel": "How often a wheel was turned on the page.",
        scroll: i64 = "scroll": "How often the page was scrolled.",
        untrusted: i64 = "untrusted": "How many of these events were made by a script.",
    }
}
