-- Prices are the operator's (docs/decisions/0047-prices-of-the-operator.md). Each withdrawal and each purchase keeps the
-- price that it was made at.
-- The cents of a withdrawal are its coins at a rate of whole cents per coin.
alter table withdrawals drop constraint withdrawals_amount;
alter table withdrawals add constraint withdrawals_amount check (amount_cents > 0 and amount_cents % coins = 0);

-- A user has one open purchase per package: a package whose coins changed is another one.
create unique index purchases_one_open_per_package on purchases (user_id, amount_cents, coins) where state = 'open';
drop index purchases_one_open;
