-- The time at which a payment of the sandbox was disputed. It stays null for disputes of the version before.
-- Locks: sandbox_intents exclusively for a moment.
alter table sandbox_intents add column disputed_at timestamptz;
