//! Parameters of statements, and typed access to the columns of a row.

use crate::error::Error;
use std::error::Error as StdError;
use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use voight_domain::secrets::{AddressDigest, IdempotencyDigest, KeyDigest};
use voight_domain::vocabulary::{
    CheckId, ClientId, ClientName, ContextId, Environment, EoaAddress, KeyId, Timestamp,
};
use voight_encoding::{ByteEnum, Encode};

/// Parameter of a statement. Each variant matches one column type of the schema.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Null,
    Number(i64),
    Flag(bool),
    Bytes(Vec<u8>),
    Text(String),
    Numbers(Vec<i64>),
    ManyBytes(Vec<Vec<u8>>),
}

/// Builds the parameters of a statement from values of any supported types.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::value::Value::from($value)),*]
    };
}
pub(crate) use values;

impl ToSql for Value {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Number(number) => number.to_sql_checked(ty, out),
            Self::Flag(flag) => flag.to_sql_checked(ty, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(ty, out),
            Self::Text(text) => text.to_sql_checked(ty, out),
            Self::Numbers(numbers) => numbers.to_sql_checked(ty, out),
            Self::ManyBytes(values) => values.to_sql_checked(ty, out),
        }
    }

    /// Each variant checks its own column type in `to_sql`.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl Value {
    /// Returns the approximate memory use in bytes.
    pub(crate) fn size(&self) -> usize {
        let inside = match self {
            Self::Null | Self::Number(_) | Self::Flag(_) => 0,
            Self::Bytes(bytes) => bytes.len(),
            Self::Text(text) => text.len(),
            Self::Numbers(numbers) => size_of_val(numbers.as_slice()),
            Self::ManyBytes(values) => values.iter().map(Vec::len).sum(),
        };
        size_of::<Self>() + inside
    }
}

macro_rules! from {
    ($($type:ty: |$value:ident| $made:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $made
            }
        }
    )*};
}

// Numbers beyond `i64` are clamped; every stored number is below the maximum.
from! {
    i64: |number| Self::Number(number);
    bool: |flag| Self::Flag(flag);
    u64: |number| Self::Number(i64::try_from(number).unwrap_or(i64::MAX));
    u32: |number| Self::Number(number.into());
    u16: |number| Self::Number(number.into());
    u8: |number| Self::Number(number.into());
    usize: |number| Self::Number(i64::try_from(number).unwrap_or(i64::MAX));
    Timestamp: |timestamp| Self::Number(timestamp.as_millis());
    Environment: |environment| Self::from(environment.code());
    Vec<u8>: |bytes| Self::Bytes(bytes);
    &[u8]: |bytes| Self::Bytes(bytes.to_vec());
    [u8; 16]: |bytes| Self::Bytes(bytes.to_vec());
    ClientId: |id| Self::from(id.to_bytes());
    KeyId: |id| Self::from(id.to_bytes());
    CheckId: |id| Self::from(id.to_bytes());
    EoaAddress: |address| Self::Bytes(address.as_bytes().to_vec());
    KeyDigest: |digest| Self::Bytes(digest.0.to_vec());
    IdempotencyDigest: |digest| Self::from(digest.0);
    AddressDigest: |digest| Self::from(digest.0);
    &str: |text| Self::Text(text.to_owned());
    &ContextId: |id| Self::Bytes(id.as_str().as_bytes().to_vec());
    &ClientName: |name| Self::Bytes(name.as_str().as_bytes().to_vec());
    Vec<i64>: |numbers| Self::Numbers(numbers);
    Vec<Vec<u8>>: |values| Self::ManyBytes(values);
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Typed access to the columns of a row.
pub(crate) trait RowExt {
    /// Returns the value in column `index`.
    fn column<'a, T: FromSql<'a>>(&'a self, index: usize) -> Result<T, Error>;

    /// Decodes the record in column `index`.
    fn record<R: Encode>(&self, index: usize) -> Result<R, Error> {
        decode(self.column(index)?)
    }

    /// Returns the `N` bytes in column `index`.
    fn byte_array<const N: usize>(&self, index: usize) -> Result<[u8; N], Error> {
        let bytes: &[u8] = self.column(index)?;
        bytes.try_into().map_err(|_| {
            Error::damaged(format_args!(
                "{} bytes where there should be {N}",
                bytes.len()
            ))
        })
    }

    /// Returns the bytes of column `index` as UTF-8.
    fn utf8(&self, index: usize) -> Result<&str, Error> {
        std::str::from_utf8(self.column(index)?).map_err(Error::damaged)
    }

    /// Returns the number in column `index`, which must not be negative.
    fn number(&self, index: usize) -> Result<u64, Error> {
        let number: i64 = self.column(index)?;
        u64::try_from(number).map_err(|_| Error::damaged("a number below zero"))
    }
}

impl RowExt for Row {
    fn column<'a, T: FromSql<'a>>(&'a self, index: usize) -> Result<T, Error> {
        Ok(self.try_get(index)?)
    }
}

/// Decodes a record from bytes.
pub(crate) fn decode<R: Encode>(bytes: &[u8]) -> Result<R, Error> {
    R::decode(bytes).map_err(Error::damaged)
}
