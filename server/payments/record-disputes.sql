-- Stores the disputes of a payment as the provider reports them now, and returns the cents that they withhold together.
-- `p_disputes` is an array of {id, cents, status, reason, respondBy, openedAt, effect, isOpen, isKnown}
-- (server/payments/disputes.ts). Changes of the state are written to the payment's time line.
-- A dispute that the provider no longer lists keeps what it withholds. Admins are notified of a state that is not known,
-- and of one that takes evidence without moving coins: an inquiry, or an appeal of a lost dispute.
create or replace function record_disputes(p_payment uuid, p_disputes jsonb) returns bigint language plpgsql as $$
declare
  dispute record;
  changed payment_disputes;
begin
  for dispute in
    select given.id, given.cents, given.status, given."isKnown" as is_known,
           given."isOpen" as is_open, given.reason, stored.status as status_before,
           coalesce(stored.withheld_cents, 0) as withheld_before,
           given."respondBy" as respond_by, given."openedAt" as opened_at,
           case given.effect when 'withhold' then given.cents
                             when 'release' then 0
                             else least(coalesce(stored.withheld_cents, 0), given.cents) end as withheld
      from jsonb_to_recordset(p_disputes) as given(id text, cents bigint, status text, effect text, "isKnown" boolean,
             "isOpen" boolean, reason text, "respondBy" timestamptz, "openedAt" timestamptz)
      left join payment_disputes as stored on stored.id = given.id
     order by given.id
  loop
    insert into payment_disputes as stored
      (id, payment_id, cents, withheld_cents, status, status_known, is_open, reason, respond_by, opened_at)
    values (dispute.id, p_payment, dispute.cents, dispute.withheld, dispute.status, dispute.is_known, dispute.is_open,
            dispute.reason, dispute.respond_by, dispute.opened_at)
    on conflict (id) do update
       set cents = excluded.cents, withheld_cents = excluded.withheld_cents, status = excluded.status,
           status_known = excluded.status_known, is_open = excluded.is_open, reason = excluded.reason, respond_by = excluded.respond_by,
           revision = stored.revision + 1, updated_at = clock_time()
     where (stored.cents, stored.withheld_cents, stored.status, stored.status_known, stored.reason, stored.respond_by)
           is distinct from (excluded.cents, excluded.withheld_cents, excluded.status, excluded.status_known,
                             excluded.reason, excluded.respond_by)
    returning * into changed;
    if found and changed.status is distinct from dispute.status_before then
      perform log_payment_event(p_payment, case when dispute.status_before is null then 'dispute_opened' else 'dispute_changed' end,
        jsonb_build_object('dispute', changed.id, 'status', changed.status, 'cents', changed.cents, 'reason', changed.reason));
      if changed.status_known and needs_response(changed.status) and changed.withheld_cents = dispute.withheld_before then
        perform notify_admins_of_payment('payment_reversed', jsonb_build_object('recipient', 'admin', 'buyer', users.name,
            'cause', 'evidence', 'cents', changed.cents, 'coins', 0, 'owed', 0), p_payment)
           from payments join users on users.id = payments.user_id where payments.id = p_payment;
      end if;
    end if;
    if needs_response(dispute.status) then
      perform reopen_evidence(p_payment, dispute.id);
    end if;
    if changed.id is not null and not changed.status_known then
      perform notify_admins_of_payment('dispute_unknown', jsonb_build_object('buyer', users.name,
          'intent', payments.transaction_id, 'cents', changed.cents, 'status', changed.status), p_payment)
         from payments join users on users.id = payments.user_id where payments.id = p_payment;
    end if;
  end loop;
  return (select coalesce(sum(withheld_cents), 0) from payment_disputes where payment_id = p_payment);
end $$;
