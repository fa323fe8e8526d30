//! A folder of recordings. Any of its files may be absent.

pub mod pointer;
