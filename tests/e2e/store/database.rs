//! Database into which stores are moved.

use voight_tests::postgres::Postgres;

/// URL without a database.
pub(crate) const UNREACHABLE_URL: &str = "postgres://voight:secret@127.0.0.1:1/voight";

/// Rejected URL, with the exit code and words of the message.
type Rejected = (String, i32, &'static [&'static str]);

/// Schema of a test.
pub(crate) struct TestDatabase {
    server: Postgres,
    schema: String,
    pub(crate) url: String,
}

impl TestDatabase {
    pub(crate) fn new(name: &str) -> Self {
        let server = Postgres::shared().expect("a private server");
        let schema = format!("store_{name}_{}", std::process::id());
        let url = server.schema(&schema).expect("a schema");
        Self {
            server,
            schema,
            url,
        }
    }

    /// Returns the schema with another one behind it on the search path for functions.
    pub(crate) fn with_functions_of(&self, other: &Self) -> String {
        self.server.url(
            "postgres",
            &format!(
                "&options=-csearch_path%3D{}%2C{}",
                self.schema, other.schema
            ),
        )
    }

    /// Runs SQL in the schema.
    pub(crate) fn run(&self, sql: &str) -> String {
        self.server
            .run(&format!("SET search_path = {}; {sql}", self.schema))
            .expect("SQL")
    }

    /// Returns the names of its tables.
    pub(crate) fn tables(&self) -> String {
        self.run(&format!(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = '{}'",
            self.schema
        ))
    }

    /// Returns URLs of databases that cannot hold a store: a standby, a user without privileges, and no server.
    pub(crate) fn that_reject(&self) -> [Rejected; 3] {
        let role = format!("{}_role", self.schema);
        self.run(&format!("CREATE ROLE {role} LOGIN"));
        let standby = format!("{}%20-cdefault_transaction_read_only%3Don", self.url);
        let powerless = self
            .url
            .replace("postgres://postgres@", &format!("postgres://{role}@"));
        [
            (standby, 3, &["takes no writes", "primary"]),
            (powerless, 3, &["cannot be created", "GRANT"]),
            (
                UNREACHABLE_URL.to_owned(),
                5,
                &["no database answers at postgres://voight@127.0.0.1:1/voight"],
            ),
        ]
    }
}
