//! Networks, proxies and apps between a browser and the service.

use super::assert_not_flagged;
use crate::testing::{CheckBuilder, WINDOWS};
use serde_json::json;

#[test]
fn vpn_with_time_zone_and_blocked_canvas() {
    let mut draft = CheckBuilder::person();
    draft.first["env"]["timeZone"] = "Asia/Tokyo".into();
    draft.first["env"]["native"]["failed"] = json!([
        "HTMLCanvasElement.toDataURL",
        "CanvasRenderingContext2D.getImageData"
    ]);
    draft.first["env"]["frame"]["webglRenderer"] = "Generic Renderer".into();
    draft.first["env"]["worker"]["webglRenderer"] =
        "ANGLE (Intel, Mesa Intel(R) Graphics, OpenGL 4.6)".into();
    assert_not_flagged(&draft);
}

#[test]
fn guard_that_rewrites_agent_and_headers() {
    for dropped in [
        vec!["sec-ch-ua"],
        vec!["sec-fetch-site", "sec-fetch-mode"],
        vec!["accept-language", "sec-ch-ua"],
    ] {
        let mut draft = CheckBuilder::person();
        draft.headers[0].1 = WINDOWS.into();
        draft
            .headers
            .retain(|(name, _)| !dropped.contains(&name.as_str()));
        assert_not_flagged(&draft);
    }
}

#[test]
fn app_with_its_own_headers() {
    let mut draft = CheckBuilder::person();
    draft.headers.retain(|(name, _)| !name.starts_with("sec-"));
    draft
        .headers
        .iter_mut()
        .filter(|(name, _)| name == "accept-language")
        .for_each(|(_, sent)| *sent = "de".into());
    assert_not_flagged(&draft);
}
