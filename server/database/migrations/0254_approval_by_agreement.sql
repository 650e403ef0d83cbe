-- Work on an item that was approved because its answers agree (docs/decisions/0088-quality-of-batches.md).
-- Locks: none; a value is added to a type.
alter type decider add value 'agreement';
