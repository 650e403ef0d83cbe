-- The customer of a purchase's current attempt to create its intent: the same attempt always has the same customer. A
-- purchase without an attempt has the number 0.
alter table purchases
  add column customer_id text,
  alter column attempt set default 0;
