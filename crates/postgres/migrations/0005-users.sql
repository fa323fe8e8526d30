-- Users of the console. Secrets are stored as keyed digests; the name is in the record.
CREATE TABLE console_user (id bytea NOT NULL, record bytea NOT NULL, PRIMARY KEY (id));
