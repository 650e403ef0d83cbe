-- Returns whether the bank asks for evidence in a state of a dispute, or of an inquiry.
create or replace function needs_response(p_status text) returns boolean language sql immutable as $$
  select p_status like '%needs\_response'
$$;

-- Refuses evidence for a dispute whose evidence was submitted, that takes none now, or whose payment is the Admin's own. `p_admin` is
-- null for the receipt. The caller keeps the dispute locked.
create or replace function lock_open_evidence(p_dispute text, p_admin uuid) returns payment_disputes language plpgsql as $$
declare
  dispute payment_disputes;
begin
  select * into dispute from payment_disputes where id = p_dispute for no key update;
  if not found then
    perform refuse('not_found.card_dispute');
  elsif exists (select from payments where id = dispute.payment_id and user_id = p_admin) then
    perform refuse('yourself.payment');
  elsif exists (select from dispute_evidence where dispute_id = p_dispute and submitted_at is not null) then
    perform refuse('state_conflict.evidence_submitted');
  elsif not needs_response(dispute.status) then
    perform refuse('state_conflict.dispute_takes_no_evidence');
  end if;
  return dispute;
end $$;

-- Adds a file that the provider has, in place of the one before; null for the receipt's Admin. `p_total_max` bounds the bytes
-- of all files, which the bank limits.
create or replace function add_dispute_file(
  p_dispute text, p_field text, p_type text, p_bytes int, p_sha256 text, p_provider_id text, p_admin uuid, p_total_max int)
returns void language plpgsql as $$
declare
  dispute payment_disputes := lock_open_evidence(p_dispute, p_admin);
begin
  if p_bytes + coalesce((select sum(bytes) from dispute_files where dispute_id = p_dispute and field <> p_field), 0) > p_total_max then
    perform refuse('invalid_fields.dispute_files_size', jsonb_build_object('field', 'file'));
  end if;
  insert into dispute_files (dispute_id, field, type, bytes, sha256, provider_id, added_by)
  values (p_dispute, p_field, p_type, p_bytes, p_sha256, p_provider_id, p_admin)
  on conflict (dispute_id, field) do update
     set type = excluded.type, bytes = excluded.bytes, sha256 = excluded.sha256, provider_id = excluded.provider_id,
         added_by = excluded.added_by, added_at = clock_time();
  if p_admin is not null then
    perform log_dispute_file(dispute, p_admin, 'dispute_file_added', p_field);
  end if;
end $$;

-- Removes a file that an Admin added. It stays at the provider, where it belongs to no dispute.
create or replace function remove_dispute_file(p_dispute text, p_field text, p_admin uuid) returns void language plpgsql as $$
declare
  dispute payment_disputes := lock_open_evidence(p_dispute, p_admin);
begin
  delete from dispute_files where dispute_id = p_dispute and field = p_field;
  if not found then
    perform refuse('not_found.dispute_file');
  end if;
  perform log_dispute_file(dispute, p_admin, 'dispute_file_removed', p_field);
end $$;

create or replace function log_dispute_file(p_dispute payment_disputes, p_admin uuid, p_action text, p_field text)
returns void language plpgsql as $$
begin
  perform log_payment_event(p_dispute.payment_id, 'evidence_saved', jsonb_build_object('file', p_field), p_admin);
  perform log_admin_action(p_admin, p_action, p_dispute.payment_id, jsonb_build_object('dispute', p_dispute.id, 'file', p_field));
end $$;
