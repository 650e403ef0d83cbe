-- Marks a destination as verified: a payout to it was confirmed. A removed one stays removed.
create or replace function mark_destination_verified(p_destination uuid) returns void language sql as $$
  update payout_destinations set state = 'verified', verified_at = clock_time()
   where id = p_destination and state = 'unverified'
$$;
