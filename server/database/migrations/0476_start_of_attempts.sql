-- When the requests of an attempt to create a purchase's intent began. Null before the first one, and where the version before made the
-- attempt: then it is the time of the purchase.
-- Locks: purchases, for a moment.
alter table purchases add column attempt_started_at timestamptz;
