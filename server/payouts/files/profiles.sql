-- Creates a profile (version 0) or changes the version that the Admin has seen. Returns 1, or 0 for a repetition.
create or replace function save_payout_file_profile(
  p_id uuid, p_admin uuid, p_version int, p_name text, p_note text, p_columns jsonb)
returns int language plpgsql as $$
declare
  existing payout_file_profiles;
begin
  -- Creations and renamings run one at a time, so that the name is free until commit.
  perform pg_advisory_xact_lock(7461071);
  select * into existing from payout_file_profiles where id = p_id for update;
  if (existing.name, existing.note, existing.columns) is not distinct from (p_name, p_note, p_columns) then
    return 0;
  elsif coalesce(existing.version, 0) <> p_version then
    perform refuse('state_conflict.payout_file_profile');
  elsif exists (select from payout_file_profiles where name = p_name and id <> p_id) then
    perform refuse('state_conflict.payout_file_profile_name');
  end if;
  insert into payout_file_profiles (id, name, note, columns, changed_by) values (p_id, p_name, p_note, p_columns, p_admin)
  on conflict (id) do update
     set name = p_name, note = p_note, columns = p_columns, version = payout_file_profiles.version + 1,
         changed_by = p_admin, changed_at = clock_time();
  perform log_admin_action(p_admin, 'payout_file_profile_saved', p_id, jsonb_build_object('name', p_name,
    'before', existing.columns, 'after', p_columns));
  return 1;
end $$;

create or replace function delete_payout_file_profile(p_id uuid, p_admin uuid) returns void language plpgsql as $$
declare
  deleted payout_file_profiles;
begin
  delete from payout_file_profiles where id = p_id returning * into deleted;
  if not found then
    perform refuse('not_found.payout_file_profile');
  end if;
  perform log_admin_action(p_admin, 'payout_file_profile_deleted', p_id,
    jsonb_build_object('name', deleted.name, 'columns', deleted.columns));
end $$;
