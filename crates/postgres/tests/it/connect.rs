//! Connections: encryption and channel binding.

mod certificates;
mod encryption;
mod relay;
