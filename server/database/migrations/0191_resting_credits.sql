-- A credit of a user that holds coins of a young card payment, and until when (server/withdrawals/card-coins.sql).
create type resting_credit as (user_id uuid, transfer bigint, coins bigint, until timestamptz);
