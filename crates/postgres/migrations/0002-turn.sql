-- Which node does what is done beside serving, and until when by the database's own clock.
CREATE TABLE turn (
    one bigint NOT NULL, holder bytea NOT NULL, number bigint NOT NULL, ends timestamp with time zone NOT NULL,
    PRIMARY KEY (one)
);
