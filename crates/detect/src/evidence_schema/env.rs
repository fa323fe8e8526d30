//! Environment, as the browser reports it.

use super::engine::Engine;
use super::fields::object;
use super::hints::Hints;
use super::list::BoundedList;
use super::probe::Probe;
use super::screen::{Media, Position, Screen, Size, Viewport};
use super::text::BoundedText;

object! {
    /// Environment, as the browser reports it.
    Env {
        ua: BoundedText<512> = "ua": "The browser's name for itself: a disguise seldom fits all other properties.",
        platform: BoundedText<512> = "platform": "The system that it says it runs on.",
        vendor: BoundedText<512> = "vendor": "The vendor that the browser names.",
        time_zone: BoundedText<512> = "timeZone": "The time zone, which has to fit the clock.",
        languages: BoundedList<BoundedText<512>, 16> = "languages": "The languages that it asks pages for, which have to fit what it sends.",
        hints: Hints = "hints": "The browser's newer description of itself, which has to fit the older one.",
        hardware_concurrency: f64 = "hardwareConcurrency": "The number of processors: a worker has to report the same number.",
        device_memory: f64 = "deviceMemory": "The approximate size of the memory.",
        max_touch_points: f64 = "maxTouchPoints": "The number of simultaneous touches that the screen supports: a touch needs at least one.",
        time_zone_offset: f64 = "timeZoneOffset": "The offset of the clock from universal time, which has to fit the time zone.",
        screen: Screen = "screen": "The size of the screen: browsers without a screen make one up.",
        outer: Size = "outer": "The size of the browser's window.",
        inner: Size = "inner": "The size of this frame.",
        position: Position = "position": "The position of the browser's window on the screen, which the pointer's positions have to fit.",
        device_pixel_ratio: f64 = "devicePixelRatio": "The number of screen pixels for each pixel of the page.",
        viewport: Viewport = "viewport": "The visible part of the page, for example after zooming.",
        media: Media = "media": "The accuracy of pointing: mouse, finger or none.",
        webdriver: Webdriver = "webdriver": "The browser's own statement that it is automated.",
        native: Native = "native": "The state of built-in functions: original or replaced.",
        engine: Engine = "engine": "Marks of the browser's engine, which a changed name leaves as they are.",
        webgl_vendor: BoundedText<512> = "webglVendor": "The vendor of the graphics hardware: automated browsers often run without any.",
        webgl_renderer: BoundedText<512> = "webglRenderer": "The name of the graphics hardware.",
        worker: Copied = "worker": "The same facts as a worker in the background sees them: a disguise often ends there.",
        frame: Copied = "frame": "The same facts as an empty frame inside the window sees them.",
        at_load: Probe = "atLoad": "Traces of automation when the window was loaded.",
        at_submit: Probe = "atSubmit": "The same traces when the check was completed: some appear late.",
    }
}

object! {
    /// `navigator.webdriver`.
    Webdriver {
        value: bool = "value": "The value of the property.",
        own: bool = "own": "A script has replaced the browser's own value.",
        in_prototype: bool = "inPrototype": "The property is where browsers define it.",
    }
}

object! {
    /// Native functions that were tested, and those that do not look native.
    Native {
        checked: i64 = "checked": "The number of functions that were examined.",
        failed: BoundedList<BoundedText<512>, 32> = "failed": "The names of the functions that a script has replaced.",
    }
}

object! {
    /// Environment as seen in a worker or a nested frame.
    Copied {
        ua: BoundedText<512> = "ua": "The browser's name for itself there.",
        platform: BoundedText<512> = "platform": "The system that it says it runs on there.",
        languages: BoundedList<BoundedText<512>, 16> = "languages": "Its languages there.",
        time_zone: BoundedText<512> = "timeZone": "The time zone there.",
        hardware_concurrency: f64 = "hardwareConcurrency": "The number of processors that is reported there.",
        webdriver: bool = "webdriver": "The browser's statement there that it is automated.",
        webgl_vendor: BoundedText<512> = "webglVendor": "The vendor of the graphics hardware that is reported there.",
        webgl_renderer: BoundedText<512> = "webglRenderer": "The name of the graphics hardware that is reported there.",
    }
}
