//! What tells one machine from another: for linking only, never for judging.

use super::fields::object;
use super::text::Text;

object! {
    /// Marks of a machine.
    Device {
        canvas: Text<128> = "canvas",
        audio: Text<128> = "audio",
        fonts: Text<128> = "fonts",
        math: Text<128> = "math",
        webgl: WebGl = "webgl",
        codecs: Text<128> = "codecs",
        local_id: Text<128> = "localId",
    }
}

object! {
    /// Marks of its graphics.
    WebGl {
        vendor: Text<128> = "vendor",
        renderer: Text<128> = "renderer",
        hash: Text<128> = "hash",
    }
}
