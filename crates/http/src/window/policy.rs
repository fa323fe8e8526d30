//! The headers of the window's document.

use actix_web::HttpResponseBuilder;
use actix_web::http::header;
use voight_domain::vocabulary::Origin;

/// Everything comes from the service itself, nothing runs inline, and text never becomes markup.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
require-trusted-types-for 'script'";

/// Features that no check needs, turned off so that nothing inside the frame can ask for them. Those that only some builds of
/// Chromium have are left out: the others complain of them in the console of whoever builds a page, and a page has to hand them to
/// a frame of another origin first.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), \
display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), \
local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), \
publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), \
window-management=(), xr-spatial-tracking=()";

/// Whatever the document loads says that it may be loaded. Its worker has to say the same.
pub(super) const EMBEDDER: (&str, &str) = ("cross-origin-embedder-policy", "require-corp");

/// Adds the headers of a document that pages of these origins may frame, one within the other; any page may if there is
/// none, which is for documents that hold nothing to protect.
///
/// A page that is isolated from others (`Cross-Origin-Embedder-Policy`) frames only documents that are so themselves.
pub(super) fn protect(response: &mut HttpResponseBuilder, framed_by: &[Origin]) {
    let ancestors: Vec<_> = framed_by.iter().map(Origin::as_str).collect();
    let ancestors = if ancestors.is_empty() { "*".to_owned() } else { ancestors.join(" ") };
    response
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, format!("{CONTENT}; frame-ancestors {ancestors}")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::PERMISSIONS_POLICY, PERMISSIONS))
        .insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"))
        .insert_header(EMBEDDER)
        .insert_header(("origin-agent-cluster", "?1"));
}
