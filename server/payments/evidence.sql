-- Saves the evidence of a dispute, for an Admin. `p_version` is the version that they have seen, or null. Refuses when it was
-- submitted before, and when another version was saved since. The Admin's own next one may be from a request without a
-- response; saving the same fields after it makes no other version.
create or replace function save_evidence(p_dispute text, p_admin uuid, p_fields jsonb, p_version int)
returns void language plpgsql as $$
declare
  dispute payment_disputes := lock_open_evidence(p_dispute, p_admin);
begin
  if exists (
      select from dispute_evidence
       where dispute_id = p_dispute and version <> p_version and (saved_by <> p_admin or version <> p_version + 1)) then
    perform refuse('state_conflict.evidence_changed');
  end if;
  insert into dispute_evidence (dispute_id, fields, saved_by) values (p_dispute, p_fields, p_admin)
  on conflict (dispute_id) do update
     set fields = excluded.fields, saved_by = excluded.saved_by, saved_at = clock_time(),
         version = dispute_evidence.version
           + case when dispute_evidence.version <> p_version and dispute_evidence.fields = excluded.fields then 0 else 1 end;
  perform log_payment_event(dispute.payment_id, 'evidence_saved', '{}', p_admin);
end $$;

-- Records that the provider has accepted the evidence of a dispute with these files.
create or replace function record_evidence_submitted(p_dispute text, p_admin uuid, p_files text[]) returns void language plpgsql as $$
declare
  payment uuid;
begin
  update dispute_evidence set submitted_by = p_admin, submitted_at = clock_time()
   where dispute_id = p_dispute and submitted_at is null;
  if found then
    update dispute_files set submitted_at = clock_time() where dispute_id = p_dispute and provider_id = any (p_files);
    select payment_id into payment from payment_disputes where id = p_dispute;
    perform log_payment_event(payment, 'evidence_submitted', '{}', p_admin);
    perform log_admin_action(p_admin, 'dispute_evidence_submitted', payment, jsonb_build_object('dispute', p_dispute));
  end if;
end $$;

-- Makes evidence a draft again that was submitted before the last change of a dispute that needs a response: the bank asks for it
-- another time, when an inquiry has become a dispute or a decision is appealed.
create or replace function reopen_evidence(p_payment uuid, p_dispute text) returns void language sql as $$
  with reopened as (
    update dispute_evidence set submitted_by = null, submitted_at = null, version = version + 1
     where dispute_id = p_dispute
       and submitted_at < (select max(created_at) from payment_events
                            where payment_id = p_payment and kind in ('dispute_opened', 'dispute_changed') and data ->> 'dispute' = p_dispute)
    returning dispute_id)
  update dispute_files set submitted_at = null from reopened
   where dispute_files.dispute_id = reopened.dispute_id and submitted_at is not null
$$;

-- Returns what the buyer of a payment did since they registered, oldest first: sign-ins, purchases, tasks, approved work,
-- and the notifications of purchases. `message` is the text of notifications of version 0.2 and earlier.
create or replace function buyer_activity(p_user uuid)
returns table (at timestamptz, kind text, subject text, cents bigint, coins bigint, params jsonb, message text)
language sql stable as $$
  select * from (
    (select created_at as at, 'signed_in' as kind, network || case when device = '' then '' else ' with ' || device end as subject,
            null::bigint as cents, null::bigint as coins, null::jsonb as params, null::text as message
       from sessions where identity_id = p_user order by created_at desc limit 60)
    union all
    (select paid_at, 'paid', '', amount_cents, coins, null, null
       from payments where user_id = p_user order by paid_at desc limit 30)
    union all
    (select created_at, 'task_posted', title, null, slots * reward, null, null
       from tasks where buyer_id = p_user order by created_at desc limit 60)
    union all
    (select decided_at, 'work_received', tasks.title, null, submissions.reward, null, null
       from submissions join tasks on tasks.id = submissions.task_id
      where submissions.buyer_id = p_user and submissions.status = 'approved' order by decided_at desc limit 60)
    union all
    (select created_at, kind, '', null, null, notifications.params, notifications.message
       from notifications where user_id = p_user and kind in ('coins_bought', 'payment_reversed') order by created_at desc limit 30)
  ) as activity order by at
$$;
