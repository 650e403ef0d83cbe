-- Returns the refusal of a buyer who wants to pay these cents and has, or whose card has, reached a limit of the setting
-- `card_limits` (docs/specification/payments.md#card-limits), and records that they did; null below the limits. Limits that are
-- null do not apply. That of the buyers of a card comes first, because it does not end after a day.
create or replace function card_limit_refusal(p_user uuid, p_cents bigint) returns text language plpgsql as $$
declare
  limits jsonb := operator_setting('card_limits');
  of_cards text[];
begin
  if jsonb_strip_nulls(limits) = '{}' then
    return null;
  end if;
  select array_agg(exceeded_card_limit(limits, card_fingerprint, p_cents, 1)) into of_cards
    from (select distinct card_fingerprint from payments where user_id = p_user and card_fingerprint <> '') as used;
  if 'card_buyers' = any (of_cards) then
    perform record_card_limit_hit(p_user);
    return 'state_conflict.card_buyers';
  elsif array_remove(of_cards, null) <> '{}' or exceeds_buyer_limits(limits, p_user, p_cents, 1)
        or reaches_decline_limit(limits, p_user) then
    perform record_card_limit_hit(p_user);
    return 'state_conflict.card_limit';
  end if;
  return null;
end $$;

create or replace function reaches_decline_limit(p_limits jsonb, p_user uuid) returns boolean language sql stable as $$
  select coalesce(count(*) >= (p_limits ->> 'declinesPerBuyer')::int, false)
    from card_declines where user_id = p_user and declined_at > clock_time() - interval '24 hours'
$$;

-- Counts a declined card of a buyer, once per event. Returns whether the buyer has reached the limit of declined cards.
create or replace function record_card_decline(p_event text, p_user uuid) returns boolean language plpgsql as $$
begin
  insert into card_declines (id, user_id) values (p_event, p_user) on conflict (id) do nothing;
  return reaches_decline_limit(operator_setting('card_limits'), p_user);
end $$;

-- Records that a buyer reached a limit of cards today: evidence on the withdrawal requests of the workers whom they pay
-- (docs/specification/risk.md#score).
create or replace function record_card_limit_hit(p_user uuid) returns void language sql as $$
  insert into card_limit_hits as known (user_id, day) values (p_user, clock_time()::date)
  on conflict (user_id, day) do update set hits = known.hits + 1
$$;

-- Returns whether a buyer, with these cents and purchases added, is above their limits of 24 hours.
create or replace function exceeds_buyer_limits(p_limits jsonb, p_user uuid, p_cents bigint, p_purchases int)
returns boolean language sql stable as $$
  select coalesce(count(*) + p_purchases > (p_limits ->> 'purchasesPerBuyer')::int, false)
      or coalesce(coalesce(sum(amount_cents), 0) + p_cents > (p_limits ->> 'centsPerBuyer')::bigint, false)
    from payments where user_id = p_user and paid_at > clock_time() - interval '24 hours'
$$;

-- Returns which limit a card exceeds with these cents and purchases added, as the reason of a freeze: that of the buyers for whom
-- it has paid, or one of 24 hours. Null below the limits.
create or replace function exceeded_card_limit(p_limits jsonb, p_fingerprint text, p_cents bigint, p_purchases int)
returns text language sql stable as $$
  select case when count(distinct user_id) > (p_limits ->> 'buyersPerCard')::int then 'card_buyers'
              when count(*) filter (where recent) + p_purchases > (p_limits ->> 'purchasesPerCard')::int then 'card_purchases'
              when coalesce(sum(amount_cents) filter (where recent), 0) + p_cents > (p_limits ->> 'centsPerCard')::bigint
              then 'card_amount' end
    from (select user_id, amount_cents, paid_at > clock_time() - interval '24 hours' as recent
            from payments where card_fingerprint = p_fingerprint) as paid
$$;

-- Freezes a buyer who is above their limits by purchases that were begun before, or whose card, which is known only after the
-- payment, is above its own. The caller has locked the buyer. The lock of the card lets a payment of another buyer with it, which
-- is settled at the same time, be counted before or after this one.
create or replace function freeze_above_card_limits(p_payment uuid, p_user uuid, p_fingerprint text) returns void language plpgsql as $$
declare
  limits jsonb := operator_setting('card_limits');
  of_card text;
begin
  if jsonb_strip_nulls(limits) <> '{}' and p_fingerprint <> '' then
    perform pg_advisory_xact_lock(7461074, hashtext(p_fingerprint));
  end if;
  if p_fingerprint <> '' then
    of_card := exceeded_card_limit(limits, p_fingerprint, 0, 0);
  end if;
  if of_card is not null or exceeds_buyer_limits(limits, p_user, 0, 0) then
    perform record_card_limit_hit(p_user);
    perform freeze_user(p_user, 'card', coalesce(of_card, 'card_limit'));
    perform log_payment_event(p_payment, 'buyer_frozen', '{}');
  end if;
end $$;
