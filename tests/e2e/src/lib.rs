//! Shared code of the black-box tests: paths, a running server, a small HTTP client, and visitors at a screen.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a helper of tests stops at the first thing that is wrong, and may say what it saw"
)]

pub mod admin_listener;
pub mod answer;
pub mod chromium;
pub mod clock;
pub mod clone;
pub mod collection;
pub mod command;
pub mod console;
pub mod disk;
pub mod engines;
pub mod guide;
pub mod http;
pub mod npm;
pub mod os_input;
pub mod paths;
pub mod person;
pub mod ports;
pub mod postgres;
pub mod process;
pub mod publish;
pub mod results;
pub mod screen;
pub mod second_try;
pub mod secret;
pub mod server;
pub mod site;
pub mod skip;
pub mod table;
pub mod tier;
pub mod visitor;
