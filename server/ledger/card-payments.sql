-- Returns the card payment that a transfer of kind `coins_bought` or `card_reversed` belongs to, by the transfer's reference: the
-- payment, or one of its reversals, which take its coins back and return them after a dispute was won.
create or replace function card_payment_of(p_ref uuid) returns uuid language sql stable as $$
  select coalesce((select payment_id from payment_reversals where id = p_ref), p_ref)
$$;
