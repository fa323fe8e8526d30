//! What tells one machine from another: for linking only, never for judging.

use super::fields::object;
use super::text::Text;

object! {
    /// Marks of a machine.
    Device {
        canvas: Text<128> = "canvas": "A digest of a small drawing that is never shown; machines draw it a little differently.",
        audio: Text<128> = "audio": "A digest of a short sound that is never played; machines compute it a little differently.",
        fonts: Text<128> = "fonts": "Which of 24 common fonts are installed.",
        math: Text<128> = "math": "A digest of five results of arithmetic, in which machines differ a little.",
        webgl: WebGl = "webgl": "What draws three-dimensional pictures.",
        codecs: Text<128> = "codecs": "Which of eight formats of video and sound can be played.",
        local_id: Text<128> = "localId": "A random number that this window keeps in its own storage, for the embedding site alone. It is no mark of the machine.",
    }
}

object! {
    /// Marks of its graphics.
    WebGl {
        vendor: Text<128> = "vendor": "Who made the graphics hardware.",
        renderer: Text<128> = "renderer": "What the graphics hardware is called.",
        hash: Text<128> = "hash": "A digest of what it can do.",
    }
}
