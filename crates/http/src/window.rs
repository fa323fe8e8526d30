//! Window: its document, its files, and the checks that it runs. Its endpoints need no key, and their responses contain no
//! findings.
//!
//! The protocol is described in `docs/reference/window-protocol.md`.

mod call;
mod complete;
mod disclosure_page;
mod document;
mod evidence;
mod files;
mod open;
mod ownership;
mod policy;
mod rejection;
mod request_metadata;
mod routes;
mod same_origin;

pub(crate) use routes::{NPM_PACKAGE, endpoints};
pub(crate) use same_origin::OwnOrigin;
