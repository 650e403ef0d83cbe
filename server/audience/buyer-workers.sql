-- Computes the records of workers with buyers: of every pair of these buyers and workers with work.
create or replace function update_buyer_workers(p_buyers uuid[], p_workers uuid[]) returns void language sql as $$
  insert into buyer_workers (buyer_id, worker_id, pseudonym, submitted, approved, rejected, last_at)
  select buyer_id, worker_id, worker_pseudonym(buyer_id, worker_id), count(*), count(*) filter (where status = 'approved'),
         count(*) filter (where status = 'rejected' and decided_by <> 'worker_left'), date_trunc('milliseconds', max(created_at))
    from submissions where worker_id = any (p_workers) and buyer_id = any (p_buyers)
   group by buyer_id, worker_id order by buyer_id, worker_id
  on conflict (buyer_id, worker_id) do update set
    submitted = excluded.submitted, approved = excluded.approved, rejected = excluded.rejected, last_at = excluded.last_at
$$;

-- Returns the worker whom a buyer knows by this pseudonym.
create or replace function worker_of_buyer(p_buyer uuid, p_pseudonym text) returns uuid language plpgsql as $$
declare
  worker uuid;
begin
  select worker_id into worker from buyer_workers where buyer_id = p_buyer and pseudonym = p_pseudonym;
  if not found then
    perform refuse('not_found.worker');
  end if;
  return worker;
end $$;

-- Makes a worker who is not deleted a favourite of a buyer, or ends that. Repeating it changes nothing.
create or replace function set_favourite_worker(p_buyer uuid, p_pseudonym text, p_favourite boolean) returns void language plpgsql as $$
declare
  worker uuid := worker_of_buyer(p_buyer, p_pseudonym);
begin
  if p_favourite then
    -- Locked, so that they are not deleted meanwhile.
    perform from users where id = worker and deleted_at is null for share;
    if not found then
      perform refuse('not_found.worker');
    end if;
    insert into favourite_workers (buyer_id, worker_id) values (p_buyer, worker) on conflict do nothing;
  else
    delete from favourite_workers where buyer_id = p_buyer and worker_id = worker;
  end if;
end $$;

-- Replaces the languages that a worker has entered.
create or replace function set_worker_languages(p_worker uuid, p_languages text[]) returns void language sql as $$
  insert into worker_languages (worker_id, languages) values (p_worker, p_languages)
  on conflict (worker_id) do update set languages = excluded.languages
$$;

-- Deletes what buyers have noted about a worker who is deleted, and what the user has entered about themselves. Blocks stay for
-- Admins; requirements belong to the tasks.
create or replace function delete_audience_of(p_user uuid) returns void language plpgsql as $$
begin
  delete from favourite_workers where p_user in (worker_id, buyer_id);
  delete from qualified_workers where worker_id = p_user;
  delete from revoked_qualifications where worker_id = p_user;
  delete from worker_languages where worker_id = p_user;
  delete from task_link_uses where worker_id = p_user;
  delete from task_links where task_id in (select id from tasks where buyer_id = p_user);
end $$;
