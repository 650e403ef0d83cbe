-- Locks the current exchange rate on a payout batch that is being released, and sets the amounts of its payouts in taka. Payouts
-- to other systems than those of Bangladesh stay in dollars. The caller holds the row lock of the batch. A payout batch is not
-- released in dollars by an oversight, because a rate has expired.
create or replace function lock_exchange_rate(p_batch uuid) returns void language plpgsql as $$
declare
  current exchange_rates;
begin
  select * into current from exchange_rates where id = current_exchange_rate();
  if found then
    update payout_batches set exchange_rate_id = current.id where id = p_batch;
    update payouts set poisha = poisha_of(cents, current.rate)
     where batch_id = p_batch and state = 'queued' and payment_system <> 'Other';
  elsif exists (select from exchange_rates) and not (select single from payout_batches where id = p_batch) then
    perform refuse('state_conflict.exchange_rate_expired');
  end if;
end $$;
