create or replace trigger site_page_versions_immutable before update or delete on site_page_versions
  for each row execute function reject_change();
create or replace trigger site_page_versions_no_truncate before truncate on site_page_versions
  for each statement execute function reject_change();

-- Changes the text of a public page, based on the version that the Admin saw; 0 is the default text. Lock order: the Admin,
-- the page, the audit log.
create or replace function change_site_page(p_page text, p_admin uuid, p_version int, p_text text, p_reason text)
returns void language plpgsql as $$
begin
  perform require_admin(p_admin);
  perform pg_advisory_xact_lock(7461206);
  if p_version <> (select coalesce(max(version), 0) from site_page_versions where page = p_page) then
    perform refuse('state_conflict.site_page');
  end if;
  insert into site_page_versions (page, version, text, reason, changed_by)
  values (p_page, p_version + 1, p_text, p_reason, p_admin);
  perform log_admin_action(p_admin, 'site_page_changed', p_admin,
    jsonb_build_object('page', p_page, 'version', p_version + 1, 'reason', p_reason));
end $$;
