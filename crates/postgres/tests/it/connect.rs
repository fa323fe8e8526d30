//! Connections: encryption and authentication methods.

mod authentication;
mod certificates;
mod encryption;
mod relay;
