-- Creates a project of a buyer, who has fewer than `p_max` that are not archived (docs/specification/projects.md). Locks
-- the buyer, so that concurrent requests cannot exceed the limit.
create or replace function create_project(p_id uuid, p_buyer uuid, p_content jsonb, p_max int)
returns void language plpgsql as $$
begin
  perform lock_buyer_of_projects(p_buyer, p_max);
  insert into projects (id, buyer_id) values (p_id, p_buyer);
  insert into project_versions (project_id, version, content) values (p_id, 1, p_content);
end $$;

-- Locks a buyer who may have one more project.
create or replace function lock_buyer_of_projects(p_buyer uuid, p_max int) returns void language plpgsql as $$
begin
  perform lock_user_in_role(p_buyer, 'Buyer');
  if (select count(*) from projects where buyer_id = p_buyer and archived_at is null) >= p_max then
    perform refuse('state_conflict.projects', jsonb_build_object('max', p_max));
  end if;
end $$;

-- Changes a buyer's own project. `p_version` is the version that they have seen. The same content changes nothing, and is
-- the response to a repeated request.
create or replace function change_project(p_project uuid, p_buyer uuid, p_version int, p_content jsonb)
returns void language plpgsql as $$
declare
  project projects := lock_own_project(p_project, p_buyer);
begin
  if (select content from project_versions where project_id = project.id and version = project.version) = p_content then
    return;
  elsif project.version <> p_version then
    perform refuse('state_conflict.project');
  end if;
  insert into project_versions (project_id, version, content) values (project.id, project.version + 1, p_content);
  update projects set version = project.version + 1 where id = project.id;
end $$;

-- Archives a buyer's own project, or brings it back.
create or replace function set_project_archived(p_project uuid, p_buyer uuid, p_archived boolean, p_max int)
returns void language plpgsql as $$
declare
  project projects;
begin
  if not p_archived and exists (
      select from projects where id = p_project and buyer_id = p_buyer and archived_at is not null) then
    perform lock_buyer_of_projects(p_buyer, p_max);
  end if;
  project := lock_own_project(p_project, p_buyer);
  if (project.archived_at is not null) <> p_archived then
    update projects set archived_at = case when p_archived then clock_time() end where id = project.id;
  end if;
end $$;

-- Locks a buyer's own project and returns it. Refuses for one that does not exist or is another buyer's.
create or replace function lock_own_project(p_project uuid, p_buyer uuid) returns projects language plpgsql as $$
declare
  project projects;
begin
  select * into project from projects where id = p_project and buyer_id = p_buyer for no key update;
  if not found then
    perform refuse('not_found.project');
  end if;
  return project;
end $$;
