#![doc = include_str!("../README.md")]

mod airdrop;
mod rows;
mod upload;

pub use airdrop::{write_amounts, write_merkle_dump};
pub use rows::{RowFormat, WriteError, write_changes, write_rows};
pub use upload::{
    AddressList, AddressReader, ColumnError, ContentEncoding, FileKind, LineError, LineFormat,
    ListErrors, ListOptions, ListSummary, QuotedCell, UnitName, UploadEntry, UploadError,
    UploadFormat, UploadLimits, UploadLine, UsedColumns, read_list,
};
