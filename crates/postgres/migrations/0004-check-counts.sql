-- Counts of checks by day and context, and their totals by day, for display. `day` is the start of the day. The tables are
-- small and belong to no client, so that a day is read, added to and purged on one server.
CREATE TABLE check_count (
    day bigint NOT NULL, context bytea NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (context, day)
);
CREATE INDEX check_count_day ON check_count (day);
CREATE TABLE check_total (day bigint NOT NULL, record bytea NOT NULL, PRIMARY KEY (day));
