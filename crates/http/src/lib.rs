#![doc = include_str!("../README.md")]

pub mod services;

pub use services::Services;
