//! What the browser says about itself.

use super::engine::Engine;
use super::fields::object;
use super::hints::Hints;
use super::list::List;
use super::probe::Probe;
use super::screen::{Media, Position, Screen, Size, Viewport};
use super::text::Text;

object! {
    /// What the browser says about itself.
    Env {
        ua: Text<512> = "ua",
        platform: Text<512> = "platform",
        vendor: Text<512> = "vendor",
        time_zone: Text<512> = "timeZone",
        languages: List<Text<512>, 16> = "languages",
        hints: Hints = "hints",
        hardware_concurrency: f64 = "hardwareConcurrency",
        device_memory: f64 = "deviceMemory",
        max_touch_points: f64 = "maxTouchPoints",
        time_zone_offset: f64 = "timeZoneOffset",
        screen: Screen = "screen",
        outer: Size = "outer",
        inner: Size = "inner",
        position: Position = "position",
        device_pixel_ratio: f64 = "devicePixelRatio",
        viewport: Viewport = "viewport",
        media: Media = "media",
        webdriver: Webdriver = "webdriver",
        native: Native = "native",
        engine: Engine = "engine",
        webgl_vendor: Text<512> = "webglVendor",
        webgl_renderer: Text<512> = "webglRenderer",
        worker: Copied = "worker",
        frame: Copied = "frame",
        at_load: Probe = "atLoad",
        at_submit: Probe = "atSubmit",
    }
}

object! {
    /// `navigator.webdriver`.
    Webdriver {
        value: bool = "value",
        own: bool = "own",
        in_prototype: bool = "inPrototype",
    }
}

object! {
    /// Whether native functions look native.
    Native {
        checked: i64 = "checked",
        failed: List<Text<512>, 32> = "failed",
    }
}

object! {
    /// The same facts as seen in a worker or a nested frame.
    Copied {
        ua: Text<512> = "ua",
        platform: Text<512> = "platform",
        languages: List<Text<512>, 16> = "languages",
        time_zone: Text<512> = "timeZone",
        hardware_concurrency: f64 = "hardwareConcurrency",
        webdriver: bool = "webdriver",
        webgl_vendor: Text<512> = "webglVendor",
        webgl_renderer: Text<512> = "webglRenderer",
    }
}
