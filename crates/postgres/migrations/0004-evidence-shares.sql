-- The share of a network in a context that the evidence of a check counts for; NULL of a check from before there were shares.
ALTER TABLE evidence_check ADD COLUMN share bytea;
