//! Errors of opening a store.

mod errors;

use crate::error::POOLER_REMEDY;

/// Reason that a database is not used as a store, with the remedy. The database was not changed, except where a variant
/// says so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No server answers.
    #[error("no database answers at {place} ({why}): start it, or name the one that runs")]
    Unreachable {
        /// URL of the database, without its password.
        place: String,
        /// Observed error.
        why: String,
    },
    /// Rejected user or password.
    #[error(
        "the database at {place} does not let this user in ({why}): put user and password right"
    )]
    Unauthorised {
        /// URL of the database, without its password.
        place: String,
        /// Message of the server.
        why: String,
    },
    /// Server without TLS, where encryption is required.
    #[error(
        "the database at {place} has no TLS, and sslmode={mode} requires it: set ssl = on there, or allow clear text with sslmode=disable on a network that is trusted"
    )]
    NoTls {
        /// URL of the database, without its password.
        place: String,
        /// Value of `sslmode`.
        mode: String,
    },
    /// Server that is not verified by its certificate.
    #[error("the database at {place} is not verified: {why}")]
    Unverified {
        /// URL of the database, without its password.
        place: String,
        /// Fault of the certificate, with the remedy.
        why: String,
    },
    /// Channel binding that does not match: TLS ends at another machine than the database.
    #[error(
        "the connection to the database at {place} does not end at the database ({why}): use sslmode=verify-full, or channel_binding=disable if a pooler that is trusted ends TLS"
    )]
    Intercepted {
        /// URL of the database, without its password.
        place: String,
        /// Message of the server.
        why: String,
    },
    /// Database that does not exist.
    #[error(
        "there is no database {database:?} at {place}: create it with `createdb {database}`, or name another one"
    )]
    NoDatabase {
        /// URL of the database, without its password.
        place: String,
        /// Name of the database.
        database: String,
    },
    /// Database or configuration that cannot be used.
    #[error("the database at {place} cannot be used ({why}): put that right, or name another one")]
    Unusable {
        /// URL of the database, without its password.
        place: String,
        /// Description of the fault.
        why: String,
    },
    /// Pooler that does not keep the session of a connection.
    #[error(
        "the connection to {place} leads through a pooler that does not keep its session ({why}): {POOLER_REMEDY}"
    )]
    Pooled {
        /// URL of the database, without its password.
        place: String,
        /// Message of the pooler or of the server.
        why: String,
    },
    /// Server that accepts no writes.
    #[error("the database at {place} takes no writes, as a standby does: name the primary")]
    ReadOnly {
        /// URL of the database, without its password.
        place: String,
    },
    /// Setting that risks the loss of acknowledged writes.
    #[error(
        "the database at {place} runs with {setting} = {value}, so what it has acknowledged can be lost: set {setting} = on"
    )]
    NotDurable {
        /// URL of the database, without its password.
        place: String,
        /// Name of the setting.
        setting: String,
        /// Value of the setting.
        value: String,
    },
    /// Missing permission to create the tables.
    #[error(
        "the tables of the store cannot be created at {place} ({why}): allow this user to create tables there (GRANT CREATE ON SCHEMA … TO …)"
    )]
    PermissionDenied {
        /// URL of the database, without its password.
        place: String,
        /// Message of the server.
        why: String,
    },
    /// Tables of another program.
    #[error(
        "the database at {place} holds tables of something else ({table} is one), and was left as it is: name an empty database, or an empty schema by ?options=-csearch_path%3DNAME"
    )]
    Foreign {
        /// URL of the database, without its password.
        place: String,
        /// Name of one of these tables.
        table: String,
    },
    /// Tables of a newer release.
    #[error(
        "the tables at {place} have version {found} and this release knows versions up to {known}: start the release that changed them, or a later one"
    )]
    Newer {
        /// URL of the database, without its password.
        place: String,
        /// Version of the tables.
        found: u64,
        /// Newest version that this release knows.
        known: u32,
    },
    /// Migration with another checksum than in this release.
    #[error(
        "the tables at {place} were made by another migration {version} than this release's: start the release that made them"
    )]
    MigrationMismatch {
        /// URL of the database, without its password.
        place: String,
        /// Number of the migration.
        version: u64,
    },
    /// Tables of an older release.
    #[error(
        "the tables at {place} have not yet all that this release reads: bring them to it with `voight store migrate`"
    )]
    Older {
        /// URL of the database, without its password.
        place: String,
    },
    /// Database whose tables cannot be distributed.
    #[error(
        "the tables of a store at {place} cannot be spread over machines ({why}), and nothing was changed: install the extension citus there as its manual says, or do without --distributed"
    )]
    CannotDistribute {
        /// URL of the database, without its password.
        place: String,
        /// Missing prerequisite.
        why: String,
    },
    /// Database without a store.
    #[error(
        "there is no store at {place}: name the database, and with ?options=-csearch_path%3DNAME the schema, of one"
    )]
    Missing {
        /// URL of the database, without its password.
        place: String,
    },
    /// Existing store in the target of a restore.
    #[error(
        "a store is at {place} already, and one is only put where none is: name an empty database, or an empty schema by ?options=-csearch_path%3DNAME"
    )]
    Occupied {
        /// URL of the database, without its password.
        place: String,
    },
    /// Lost connection while a restore was committed; the store exists completely or not at all.
    #[error(
        "the connection to {place} was lost as the copy was committed ({why}), so it is there whole or not at all: copy again, which is refused if it is there"
    )]
    OutcomeUnknown {
        /// URL of the database, without its password.
        place: String,
        /// Observed error.
        why: String,
    },
    /// Store with another pepper.
    #[error(
        "the store at {place} was created with another pepper, so none of its keys would work: start with the pepper it was created with"
    )]
    OtherPepper {
        /// URL of the database, without its password.
        place: String,
    },
    /// Corrupt record.
    #[error("the store at {place} is damaged ({what}): restore it from a backup")]
    Damaged {
        /// URL of the database, without its password.
        place: String,
        /// Description of the fault.
        what: String,
    },
}
