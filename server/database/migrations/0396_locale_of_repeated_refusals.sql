-- Adds the language of a stored refusal, which its repetitions name (docs/specification/api.md#errors).
-- Locks: idempotency_keys exclusively, for a moment.
alter table idempotency_keys add column locale text;
