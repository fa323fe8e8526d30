//! Event counters.

use super::fields::object;

object! {
    /// Events seen inside the frame since load; `raw` counts `pointerrawupdate`.
    Counts {
        moves: i64 = "move": "The number of moves of the pointer, which the path has to fit.",
        raw: i64 = "raw": "The number of moves that the hardware reports, which is higher than the number that a page receives.",
        down: i64 = "down": "The number of presses.",
        up: i64 = "up": "The number of releases.",
        click: i64 = "click": "The number of clicks.",
        key: i64 = "key": "The number of pressed keys, never their names.",
        touch: i64 = "touch": "The number of events of fingers.",
        wheel: i64 = "wheel": "The number of turns of a wheel.",
    }
}

object! {
    /// Counters of the wrapping component since its first event.
    HostCounts {
        ms: f64 = "ms": "For how long these were counted.",
        moves: i64 = "move": "The number of moves of the pointer on the page, never positions.",
        down: i64 = "down": "The number of presses on the page.",
        up: i64 = "up": "The number of releases on the page.",
        click: i64 = "click": "The number of clicks on the page.",
        key: i64 = "key": "The number of pressed keys on the page, never their names.",
        touch: i64 = "touch": "The number of touches of the page.",
        wheel: i64 = "wheel": "The number of turns of a wheel on the page.",
        scroll: i64 = "scroll": "The number of scrolls of the page.",
        untrusted: i64 = "untrusted": "The number of these events that a script created.",
    }
}
