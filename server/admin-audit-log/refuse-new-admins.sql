-- Refuses Admins who were made Admins less than 24 hours ago where a second Admin is necessary, also those who were demoted
-- since (docs/decisions/0052-new-admins.md).
create or replace function refuse_new_admins(p_admins uuid[]) returns void language plpgsql stable as $$
declare
  newcomer users;
begin
  select * into newcomer from users
   where id = any (p_admins) and admin_since > clock_time() - interval '24 hours' order by admin_since desc limit 1;
  if found then
    perform refuse('second_person_required.new_admin', jsonb_build_object('name', newcomer.name,
      'hours', ceil(extract(epoch from newcomer.admin_since + interval '24 hours' - clock_time()) / 3600)::int));
  end if;
end $$;
