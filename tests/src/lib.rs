//! What the black-box tests share: paths, a running server, a small HTTP client.

pub mod paths;
