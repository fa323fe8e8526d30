//! Why a database is not used as a store.

mod errors;

/// Why a database is not used: what is wrong, and what to do. It is left as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Nobody answers.
    #[error("no database answers at {place} ({why}): start it, or name the one that runs")]
    Unreachable {
        /// Where it should be.
        place: String,
        /// What was seen.
        why: String,
    },
    /// It does not let us in.
    #[error("the database at {place} does not let this user in ({why}): put user and password right")]
    Unauthorised {
        /// Where it is.
        place: String,
        /// What it said.
        why: String,
    },
    /// Authentication method that is not allowed.
    #[error("the database at {place} uses the authentication method {method}, which is not allowed: {remedy}")]
    RejectedMethod {
        /// Its URL.
        place: String,
        /// Method by its name in `require_auth`.
        method: String,
        /// Remedy for the operator.
        remedy: String,
    },
    /// Server without TLS, where encryption is required.
    #[error(
        "the database at {place} has no TLS, and sslmode={mode} requires it: set ssl = on there, or allow clear text with sslmode=prefer on a network that is trusted"
    )]
    NoTls {
        /// Its URL.
        place: String,
        /// The mode.
        mode: String,
    },
    /// Server that is not verified by its certificate.
    #[error("the database at {place} is not verified: {why}")]
    Unverified {
        /// Its URL.
        place: String,
        /// Fault of its certificate, with the remedy.
        why: String,
    },
    /// Channel binding that does not match: TLS ends at another machine than the database.
    #[error(
        "the connection to the database at {place} does not end at the database ({why}): use sslmode=verify-full, or channel_binding=disable if a pooler that is trusted ends TLS"
    )]
    Intercepted {
        /// Its URL.
        place: String,
        /// Message of the server.
        why: String,
    },
    /// There is no such database.
    #[error("there is no database {database:?} at {place}: create it with `createdb {database}`, or name another one")]
    NoDatabase {
        /// Where it should be.
        place: String,
        /// Its name.
        database: String,
    },
    /// It cannot be used as it is set up.
    #[error("the database at {place} cannot be used ({why}): put that right, or name another one")]
    Unusable {
        /// Where it is.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// It takes no writes.
    #[error("the database at {place} takes no writes, as a standby does: name the primary")]
    ReadOnly {
        /// Where it is.
        place: String,
    },
    /// What it acknowledges could be lost.
    #[error(
        "the database at {place} runs with {setting} = {value}, so what it has acknowledged can be lost: set {setting} = on"
    )]
    NotDurable {
        /// Where it is.
        place: String,
        /// The setting.
        setting: String,
        /// What it is set to.
        value: String,
    },
    /// The tables cannot be created.
    #[error(
        "the tables of the store cannot be created at {place} ({why}): allow this user to create tables there (GRANT CREATE ON SCHEMA … TO …)"
    )]
    PermissionDenied {
        /// Where they should be.
        place: String,
        /// What the database said.
        why: String,
    },
    /// There is something else.
    #[error(
        "the database at {place} holds tables of something else ({table} is one), and was left as it is: name an empty database, or an empty schema by ?options=-csearch_path%3DNAME"
    )]
    Foreign {
        /// Where it is.
        place: String,
        /// One of them.
        table: String,
    },
    /// A newer release has changed its tables.
    #[error(
        "the tables at {place} have version {found} and this release knows versions up to {known}: start the release that changed them, or a later one"
    )]
    Newer {
        /// Where they are.
        place: String,
        /// Their version.
        found: u64,
        /// The newest version of this release.
        known: u32,
    },
    /// A migration is not the one that this release knows.
    #[error(
        "the tables at {place} were made by another migration {version} than this release's: start the release that made them"
    )]
    MigrationMismatch {
        /// Where they are.
        place: String,
        /// The migration.
        version: u64,
    },
    /// An older release has made its tables.
    #[error(
        "the tables at {place} have not yet all that this release reads: bring them to it with `voight store migrate`"
    )]
    Older {
        /// Where they are.
        place: String,
    },
    /// The tables cannot be spread over machines.
    #[error(
        "the tables of a store at {place} cannot be spread over machines ({why}), and nothing was changed: install the extension citus there as its manual says, or do without --distributed"
    )]
    CannotDistribute {
        /// Where they should be.
        place: String,
        /// What is missing.
        why: String,
    },
    /// There is no store.
    #[error(
        "there is no store at {place}: name the database, and with ?options=-csearch_path%3DNAME the schema, of one"
    )]
    Missing {
        /// Where it should be.
        place: String,
    },
    /// There is a store where one was to be put.
    #[error(
        "a store is at {place} already, and one is only put where none is: name an empty database, or an empty schema by ?options=-csearch_path%3DNAME"
    )]
    Occupied {
        /// Where it is.
        place: String,
    },
    /// The connection was lost at the moment from which on a store is there.
    #[error(
        "the connection to {place} was lost as the copy was committed ({why}), so it is there whole or not at all: copy again, which is refused if it is there"
    )]
    OutcomeUnknown {
        /// Where it is, if it is.
        place: String,
        /// What was seen.
        why: String,
    },
    /// It was created with another pepper.
    #[error(
        "the store at {place} was created with another pepper, so none of its keys would work: start with the pepper it was created with"
    )]
    OtherPepper {
        /// Where it is.
        place: String,
    },
    /// A record cannot be read.
    #[error("the store at {place} is damaged ({what}): restore it from a backup")]
    Damaged {
        /// Where it is.
        place: String,
        /// What is wrong with it.
        what: String,
    },
}
