#![doc = include_str!("../README.md")]

pub mod drive;
pub mod families;
pub mod family;
pub mod installed;
pub mod judge;
pub mod page;
pub mod result;
pub mod test_service;
