-- Returns the name that a buyer sees for a worker in the answers of batches: the same for all work for this buyer, and
-- another one for other buyers.
create or replace function worker_pseudonym(p_buyer uuid, p_worker uuid) returns text language sql immutable as $$
  select 'W' || substr(encode(sha256(convert_to(p_buyer::text || p_worker::text, 'UTF8')), 'hex'), 1, 11)
$$;
