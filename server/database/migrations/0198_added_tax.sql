-- The tax that was added to the price of a package (docs/decisions/0055-tax-on-top-of-prices.md): {name, percent, cents}.
-- amount_cents is what the buyer pays, with it. Null where the price included the tax, or there is none.
alter table purchases add column tax jsonb,
  add constraint purchases_tax check (tax is null or ((tax ->> 'cents')::bigint > 0 and (tax ->> 'cents')::bigint < amount_cents));
alter table payments add column tax jsonb,
  add constraint payments_tax check (tax is null or ((tax ->> 'cents')::bigint > 0 and (tax ->> 'cents')::bigint < amount_cents));
alter table unmatched_payments add column tax jsonb;

-- A price without and one with the same total are different purchases.
drop index purchases_one_open_per_package;
create unique index purchases_one_open_per_package
  on purchases (user_id, amount_cents, coins, coalesce((tax ->> 'cents')::bigint, 0)) where state = 'open';
