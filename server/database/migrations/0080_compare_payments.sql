-- Paid purchases in the order in which the provider was last asked about them.
create index purchases_to_compare on purchases (checked_at) where state = 'credited';
