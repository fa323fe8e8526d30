-- Where a claim lies in a store on one machine, if it came from one; a claim that was made here lies where its end says.
-- Ends of claims are listed no more: `claim_end` gets no rows from this version on, and goes in a later one.
ALTER TABLE claim ADD COLUMN run bigint;
