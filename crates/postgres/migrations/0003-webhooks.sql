-- Endpoints of clients, with the lane and the time of the next delivery; `due_at` is NULL if nothing is to be sent.
CREATE TABLE webhook_endpoint (
    client bytea NOT NULL, id bytea NOT NULL, lane bigint NOT NULL, due_at bigint, record bytea NOT NULL,
    PRIMARY KEY (client, id)
);
CREATE INDEX webhook_endpoint_due ON webhook_endpoint (lane, due_at) WHERE due_at IS NOT NULL;
-- Delivery logs. A response may contain an address, which has no column, because an index would itself have to be erased.
CREATE TABLE webhook_delivery (
    client bytea NOT NULL, endpoint bytea NOT NULL, number bigint NOT NULL, at bigint NOT NULL, record bytea NOT NULL,
    PRIMARY KEY (client, endpoint, number)
);
CREATE INDEX webhook_delivery_age ON webhook_delivery (at);
