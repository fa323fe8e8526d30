#![doc = include_str!("../README.md")]

pub mod drive;
pub mod evaluated_session;
pub mod families;
pub mod family;
pub mod installed;
pub mod page;
pub mod result;
pub mod test_service;
