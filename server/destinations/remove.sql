-- Removes a payout destination of a user. Pending requests to it stay as they are. Returns no row when it was removed
-- before or does not exist.
create or replace function remove_destination(p_id uuid, p_user uuid)
returns setof payout_destinations language plpgsql as $$
begin
  perform from users where id = p_user and deleted_at is null for no key update;
  return query update payout_destinations set state = 'removed', removed_at = clock_time()
    where id = p_id and user_id = p_user and state <> 'removed' returning *;
end $$;

-- Removes the destinations of a user who is being deleted. The caller holds the user's row lock.
create or replace function remove_destinations(p_user uuid) returns void language sql as $$
  update payout_destinations set state = 'removed', removed_at = clock_time() where user_id = p_user and state <> 'removed'
$$;
