//! What the browser says about itself.

use super::engine::Engine;
use super::fields::object;
use super::hints::Hints;
use super::list::BoundedList;
use super::probe::Probe;
use super::screen::{Media, Position, Screen, Size, Viewport};
use super::text::BoundedText;

object! {
    /// What the browser says about itself.
    Env {
        ua: BoundedText<512> = "ua": "What the browser calls itself: a disguise seldom fits everything else.",
        platform: BoundedText<512> = "platform": "The system that it says it runs on.",
        vendor: BoundedText<512> = "vendor": "Who it says has made it.",
        time_zone: BoundedText<512> = "timeZone": "The time zone, which has to fit the clock.",
        languages: BoundedList<BoundedText<512>, 16> = "languages": "The languages that it asks pages for, which have to fit what it sends.",
        hints: Hints = "hints": "What it says of itself in the newer way, which has to fit the older one.",
        hardware_concurrency: f64 = "hardwareConcurrency": "How many processors it says there are: a worker has to see as many.",
        device_memory: f64 = "deviceMemory": "How much memory it says there is, roughly.",
        max_touch_points: f64 = "maxTouchPoints": "How many fingers the screen can feel: a touch needs one that can.",
        time_zone_offset: f64 = "timeZoneOffset": "How far the clock is from universal time, which has to fit the time zone.",
        screen: Screen = "screen": "The size of the screen: browsers without a screen make one up.",
        outer: Size = "outer": "The size of the browser's window.",
        inner: Size = "inner": "The size of this frame.",
        position: Position = "position": "Where the browser's window is on the screen: what the pointer reports has to fit it.",
        device_pixel_ratio: f64 = "devicePixelRatio": "How many pixels of the screen make one of the page.",
        viewport: Viewport = "viewport": "What part of the page is in sight, as after zooming.",
        media: Media = "media": "How exactly one can point here: with a mouse, a finger or not at all.",
        webdriver: Webdriver = "webdriver": "Whether the browser says that it is under automation.",
        native: Native = "native": "Whether built-in functions are still those of the browser.",
        engine: Engine = "engine": "Marks of the browser's engine, which a changed name leaves as they are.",
        webgl_vendor: BoundedText<512> = "webglVendor": "Who made the graphics hardware: programs often run without any.",
        webgl_renderer: BoundedText<512> = "webglRenderer": "What the graphics hardware is called.",
        worker: Copied = "worker": "The same facts as a worker in the background sees them: a disguise often ends there.",
        frame: Copied = "frame": "The same facts as an empty frame inside the window sees them.",
        at_load: Probe = "atLoad": "Traces of automation when the window was loaded.",
        at_submit: Probe = "atSubmit": "The same traces when the check was completed: some appear late.",
    }
}

object! {
    /// `navigator.webdriver`.
    Webdriver {
        value: bool = "value": "What it says.",
        own: bool = "own": "Whether somebody has put this answer in the place of the browser's.",
        in_prototype: bool = "inPrototype": "Whether the answer is where browsers keep it.",
    }
}

object! {
    /// Whether native functions look native.
    Native {
        checked: i64 = "checked": "How many functions were looked at.",
        failed: BoundedList<BoundedText<512>, 32> = "failed": "The names of those that somebody has replaced.",
    }
}

object! {
    /// The same facts as seen in a worker or a nested frame.
    Copied {
        ua: BoundedText<512> = "ua": "What the browser calls itself there.",
        platform: BoundedText<512> = "platform": "The system that it says it runs on there.",
        languages: BoundedList<BoundedText<512>, 16> = "languages": "Its languages there.",
        time_zone: BoundedText<512> = "timeZone": "The time zone there.",
        hardware_concurrency: f64 = "hardwareConcurrency": "How many processors there are, as seen there.",
        webdriver: bool = "webdriver": "Whether it says there that it is under automation.",
        webgl_vendor: BoundedText<512> = "webglVendor": "Who made the graphics hardware, as seen there.",
        webgl_renderer: BoundedText<512> = "webglRenderer": "What the graphics hardware is called there.",
    }
}
