-- Events of clients, and the state of the feed of each client. `address` is that of a verdict, and NULL after its
-- erasure; it has no index, because an index would itself have to be erased.
CREATE TABLE client_event (
    client bytea NOT NULL, number bigint NOT NULL, at bigint NOT NULL, address bytea, record bytea NOT NULL,
    PRIMARY KEY (client, number)
);
CREATE INDEX client_event_age ON client_event (at);
-- A client has its row from its first event on.
CREATE TABLE event_feed (
    client bytea NOT NULL, last_at bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client)
);
CREATE INDEX event_feed_age ON event_feed (last_at);
