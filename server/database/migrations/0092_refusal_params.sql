-- Functions whose parameters changed, or that have no successor: a refusal is raised by its key (contract/refusals.en.ts),
-- and sentences are made outside the database.
drop function if exists refuse(text, text);
drop function if exists coins_in_words(bigint);
drop function if exists dollars_in_words(bigint);
drop function if exists request_withdrawal(uuid, uuid, bigint, payment_system, text, text, interval);
