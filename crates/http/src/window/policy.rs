//! Headers of the window's document.

use actix_web::HttpResponseBuilder;
use actix_web::http::header;
use voight_domain::vocabulary::Origin;

/// Content security policy: all resources come from the service, no inline code runs, and text never becomes markup.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
require-trusted-types-for 'script'";

/// Permissions policy: turns off features that no check needs, so that no code inside the frame can request them. Features of
/// some Chromium builds only are left out: other browsers report them in the console of the page's developer, and a page has to
/// grant them to a cross-origin frame first.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), camera=(), \
display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), \
local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), \
publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), \
window-management=(), xr-spatial-tracking=()";

/// Embedder policy: every loaded resource must allow its loading explicitly. The worker must send the same header.
pub(super) const EMBEDDER: (&str, &str) = ("cross-origin-embedder-policy", "require-corp");

/// Adds the headers of a document that pages of these origins may frame, nested in each other. If the list is empty, any page
/// may, which is for documents without anything to protect.
///
/// A page with cross-origin isolation (`Cross-Origin-Embedder-Policy`) can only frame documents that send the header as well.
pub(super) fn protect(response: &mut HttpResponseBuilder, framed_by: &[Origin]) {
    let ancestors: Vec<_> = framed_by.iter().map(Origin::as_str).collect();
    let ancestors = if ancestors.is_empty() {
        "*".to_owned()
    } else {
        ancestors.join(" ")
    };
    response
        .content_type("text/html; charset=utf-8")
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            format!("{CONTENT}; frame-ancestors {ancestors}"),
        ))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::PERMISSIONS_POLICY, PERMISSIONS))
        .insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"))
        .insert_header(EMBEDDER)
        .insert_header(("origin-agent-cluster", "?1"));
}
