-- Named admin tokens. No secret is stored; the name is in the record.
CREATE TABLE admin_token (id bytea NOT NULL, record bytea NOT NULL, PRIMARY KEY (id));
