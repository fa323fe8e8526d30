//! Marks that distinguish machines: for linking only, never for judging.

use super::fields::object;
use super::text::BoundedText;

object! {
    /// Marks of a machine.
    Device {
        canvas: BoundedText<128> = "canvas": "A digest of a small drawing that is never shown; machines draw it a little differently.",
        audio: BoundedText<128> = "audio": "A digest of a short sound that is never played; machines compute it a little differently.",
        fonts: BoundedText<128> = "fonts": "The installed fonts among 24 common ones.",
        math: BoundedText<128> = "math": "A digest of five results of arithmetic, in which machines differ a little.",
        webgl: WebGl = "webgl": "The hardware that draws three-dimensional pictures.",
        codecs: BoundedText<128> = "codecs": "The playable formats among eight formats of video and sound.",
        local_id: BoundedText<128> = "localId": "A random number that this window keeps in its own storage, for the embedding site alone. It is no mark of the machine.",
    }
}

object! {
    /// Marks of the graphics hardware.
    WebGl {
        vendor: BoundedText<128> = "vendor": "The vendor of the graphics hardware.",
        renderer: BoundedText<128> = "renderer": "The name of the graphics hardware.",
        hash: BoundedText<128> = "hash": "A digest of what it can do.",
    }
}
