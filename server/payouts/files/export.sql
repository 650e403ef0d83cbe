create or replace trigger payout_files_append_only before update or delete on payout_files
  for each row execute function reject_change();
create or replace trigger payout_files_no_truncate before truncate on payout_files
  for each statement execute function reject_change();

-- Locks a payout batch with the workers of its payouts, so that a concurrent freeze happens before or after this transaction.
create or replace function lock_payout_batch_and_workers(p_batch uuid, p_admin uuid) returns payout_batches language plpgsql as $$
begin
  perform require_admin(p_admin);
  perform from users where id in (
    select worker_id from payouts join withdrawals on withdrawals.id = withdrawal_id where batch_id = p_batch) order by id for share;
  return lock_payout_batch(p_batch, p_admin);
end $$;

create or replace function has_stopped_payouts(p_batch uuid) returns boolean language sql stable as $$
  select exists (select from payouts where batch_id = p_batch and case when state = 'sent' then is_payout_stopped(withdrawal_id) end)
$$;

-- Fails the payouts of a released payout batch that were stopped after the release. Their coins stay on hold. Nothing fails once
-- there is a file, because it may have been uploaded.
create or replace function fail_stopped_payouts(p_batch uuid, p_admin uuid) returns void language plpgsql as $$
declare
  batch payout_batches := lock_payout_batch_and_workers(p_batch, p_admin);
  payout payouts;
  stopped uuid[] := '{}';
begin
  if batch.state <> 'released' or batch.provider is not null then
    return;
  end if;
  perform refresh_risk(array_agg(withdrawal_id), interval '1 hour') from payouts where batch_id = p_batch and state = 'sent';
  for payout in select * from payouts where batch_id = p_batch and state = 'sent' order by withdrawal_id loop
    if is_payout_stopped(payout.withdrawal_id) then
      perform fail_payout(payout.id, 'stop', p_admin, 'Stopped before it was sent', false, p_logs => false);
      stopped := stopped || payout.id;
    end if;
  end loop;
  perform enqueue_payout_change(p_admin);
  perform log_payout_outcome(id, p_admin) from unnest(stopped) as id;
end $$;

-- Stores the file of a released payout batch and records its hash on the batch. Returns the file's id, which is that of the first
-- file when the batch was exported with the same columns before, or null when the payouts to send have changed since the file was
-- written. A file is made before the first outcome is known, so that it never pays a part of the batch again.
create or replace function export_payout_batch(
  p_id uuid, p_batch uuid, p_admin uuid, p_profile text, p_columns jsonb, p_content bytea, p_sha256 text, p_rows int,
  p_cents bigint, p_poisha bigint)
returns uuid language plpgsql as $$
declare
  batch payout_batches := lock_payout_batch_and_workers(p_batch, p_admin);
  existing uuid;
begin
  select id into existing from payout_files where batch_id = p_batch and columns = p_columns;
  if found then
    return existing;
  elsif batch.provider is not null then
    perform refuse('state_conflict.payout_file_provider');
  elsif batch.state = 'reconciled' and not exists (
    select from payouts where batch_id = p_batch and state <> 'removed' and source is distinct from 'stop') then
    perform refuse('state_conflict.payouts_stopped');
  elsif batch.state not in ('released', 'exported') then
    perform refuse('state_conflict.payout_batch', jsonb_build_object('state', batch.state));
  elsif has_stopped_payouts(p_batch) then
    if batch.state = 'exported' then
      perform refuse('state_conflict.payout_stopped');
    end if;
    return null;
  elsif (select (count(*)::int, coalesce(sum(cents), 0)::bigint, sum(poisha)::bigint) from payouts where batch_id = p_batch and state = 'sent')
        is distinct from (p_rows, p_cents, p_poisha) then
    return null;
  end if;
  insert into payout_files (id, batch_id, profile, columns, content, sha256, row_count, cents, poisha, exported_by)
  values (p_id, p_batch, p_profile, p_columns, p_content, p_sha256, p_rows, p_cents, p_poisha, p_admin);
  perform mark_payout_batch_exported(p_batch, p_admin, p_sha256);
  return p_id;
end $$;

-- Returns a file for a download, which is logged.
create or replace function download_payout_file(p_id uuid, p_admin uuid)
returns table (content bytea, profile text, batch_id uuid) language plpgsql as $$
declare
  file payout_files;
begin
  select * into file from payout_files where id = p_id;
  if not found then
    perform refuse('not_found.payout_file');
  end if;
  perform log_admin_action(p_admin, 'payout_file_downloaded', file.batch_id,
    jsonb_build_object('profile', file.profile, 'sha256', file.sha256));
  return query select file.content, file.profile, file.batch_id;
end $$;
