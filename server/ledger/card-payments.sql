-- Returns the card payment that a transfer of kind `coins_bought` or `card_reversed` belongs to, by the transfer's reference: the
-- payment, or one of its reversals, which take its coins back and return them after a dispute was won.
create or replace function card_payment_of(p_ref uuid) returns uuid language sql stable as $$
  select coalesce((select payment_id from payment_reversals where id = p_ref), p_ref)
$$;

-- Returns the kind of a transfer as statements list it. Coins that come back after a dispute was won are booked as `coins_bought`
-- (reverse_payment); they are listed beside those that the dispute took.
create or replace function statement_kind(p_kind transfer_kind, p_ref uuid) returns transfer_kind language sql stable as $$
  select case when p_kind = 'coins_bought' and card_payment_of(p_ref) <> p_ref then 'card_reversed' else p_kind end
$$;

-- Returns the coins that a user bought by card, without those that were taken back. Coins of a reversed purchase that the user had
-- spent count until the debt is paid.
create or replace function purchased_coins(p_user uuid) returns numeric language sql stable as $$
  select coalesce((select sum(amount) from ledger_transfers where kind = 'coins_bought' and credit = accounts.id), 0) + accounts.debt
       - coalesce((select sum(reversals.coins) from payments join payment_reversals as reversals on reversals.payment_id = payments.id
                    where payments.user_id = p_user and reversals.coins > 0), 0)
    from users join ledger_accounts as accounts on accounts.id = users.account_id where users.id = p_user
$$;
