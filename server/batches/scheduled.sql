-- Sets the time at which a buyer's own checked batch is paid, with the last day and the cost that they have seen, or none without a
-- time: the file is then kept from now as one that is new. Forgets why an earlier payment failed. Lock order: the buyer, the batch.
create or replace function schedule_batch(
  p_batch uuid, p_buyer uuid, p_post_at timestamptz, p_completion_date date, p_zone text, p_total bigint, p_fee_percent numeric,
  p_slots_max int, p_days_max int)
returns void language plpgsql as $$
declare
  batch batches;
begin
  perform require_role(p_buyer, 'Buyer');
  batch := lock_own_batch(p_batch, p_buyer, '{checked}');
  if p_post_at is null then
    update batches set post_at = null, not_posted_at = clock_time() where id = p_batch and post_at is not null;
    return;
  end if;
  perform refuse_unpayable(batch, p_total, p_fee_percent, p_slots_max);
  perform refuse_post_time(p_post_at, p_days_max);
  perform refuse_short_posting(p_completion_date, p_post_at, p_zone);
  update batches
     set post_at = p_post_at, completion_date = p_completion_date, agreed_total = p_total, funding_refusal = null, not_posted_at = null
   where id = p_batch;
end $$;

-- Locks a scheduled batch that is due and returns its buyer and what they agreed to. Returns no row when it was paid, changed,
-- cancelled or deleted meanwhile. Lock order: the buyer, the batch.
create or replace function claim_due_batch(p_batch uuid)
returns table (buyer_id uuid, email_verified boolean, completion_date text, total float8) language plpgsql as $$
begin
  perform from users where id = (select batches.buyer_id from batches where batches.id = p_batch) for share;
  return query
    select due.buyer_id,
           exists (select from identities where identities.id = due.buyer_id and email_verified_at is not null),
           due.completion_date::text, due.agreed_total::float8
      from batches as due
     where due.id = p_batch and due.state = 'checked' and due.post_at <= clock_time() for no key update;
end $$;

-- Ends the schedule of a due batch that could not be paid. Returns false when it is no longer due.
create or replace function refuse_due_batch(p_batch uuid, p_refusal jsonb) returns boolean language plpgsql as $$
begin
  perform from batches where id = p_batch and state = 'checked' and post_at <= clock_time() for no key update;
  if not found then
    return false;
  end if;
  perform end_batch_payment(p_batch, p_refusal);
  return true;
end $$;

-- Ends the payment of a batch, and its schedule if it has one, keeps the reason why it was not paid, and notifies its buyer, unless they
-- were deleted. The file is kept from now as one that is new. The caller has locked the batch.
create or replace function end_batch_payment(p_batch uuid, p_refusal jsonb) returns void language sql as $$
  with ended as (
    update batches set post_at = null, not_posted_at = clock_time(), funding_refusal = p_refusal
     where id = p_batch returning *)
  select notify_user(ended.buyer_id, 'scheduled_batch_failed',
           jsonb_build_object('title', content->>'title', 'file', file_name, 'reason', p_refusal), ended.id)
    from ended join project_versions as versions on versions.project_id = ended.project_id and version = project_version
    join users on users.id = ended.buyer_id and deleted_at is null
$$;
