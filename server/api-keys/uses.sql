-- Adds the requests that an instance counted: a JSON array of {key, minute, operation, status, requests, network, at}. Rows are
-- written in the order of their keys, so that instances that write at the same time do not deadlock. A key has about 2,000
-- rows a day at most; further requests are not recorded.
create or replace function record_api_key_uses(p_uses jsonb) returns void language plpgsql as $$
begin
  update api_keys set last_used_at = latest.at, last_used_network = latest.network
    from (select distinct on (key) key, at, network
            from jsonb_to_recordset(p_uses) as used (key uuid, at timestamptz, network text)
           order by key, at desc) as latest
   where id = latest.key and id in (
     select locked.id from api_keys as locked
      where locked.id in (select key from jsonb_to_recordset(p_uses) as used (key uuid)) order by locked.id for no key update)
     and (last_used_at is null or last_used_at < latest.at);
  insert into api_key_uses as known (key_id, minute, operation, status, requests, network)
  select key, minute, operation, status, requests, network
    from jsonb_to_recordset(p_uses)
      as used (key uuid, minute timestamptz, operation text, status smallint, requests int, network text)
   where exists (select from api_keys where id = key)
     and (select count(*) from (select from api_key_uses as recorded
            where recorded.key_id = used.key and recorded.minute >= date_trunc('day', used.minute) limit 2000) as today) < 2000
   order by key, minute, operation, status
  on conflict (key_id, minute, operation, status) do update
    set requests = known.requests + excluded.requests, network = excluded.network;
end $$;
