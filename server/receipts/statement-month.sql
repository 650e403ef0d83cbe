-- Returns a month of an account's statement: the ids of its first transfer and of the one after its last, the balance before
-- and after it, and the coins per kind of transfer. Months are those of the site's time zone; a month has the transfers from
-- the first one of its time to the first one of the next month's, so that every transfer is in one month.
create or replace function statement_month(p_account bigint, p_month text, p_zone text)
returns table (first_id bigint, end_id bigint, opening bigint, closing bigint, transfers bigint, totals jsonb)
language sql stable as $$
  with bounds as materialized (
    select (p_month || '-01')::timestamp at time zone p_zone as since,
           ((p_month || '-01')::timestamp + interval '1 month') at time zone p_zone as until
  ),
  lines as materialized (
    select id, kind, ref, amount, created_at from ledger_transfers where credit = p_account
    union all
    select id, kind, ref, -amount, created_at from ledger_transfers where debit = p_account
  ),
  ids as materialized (
    select coalesce(min(id) filter (where created_at >= since), max(id) + 1) as first_id,
           coalesce(min(id) filter (where created_at >= until), max(id) + 1) as end_id from lines, bounds
  ),
  of_month as materialized (
    select statement_kind(kind, ref) as kind, amount from lines, ids where lines.id >= ids.first_id and lines.id < ids.end_id
  )
  select ids.first_id, ids.end_id,
         (select coalesce(sum(amount), 0)::bigint from lines where id < ids.first_id),
         (select coalesce(sum(amount), 0)::bigint from lines where id < ids.end_id),
         (select count(*) from of_month),
         (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'coins', coins, 'transfers', count) order by kind, coins), '[]')
            from (select kind, sum(amount) as coins, count(*) from of_month group by kind, sign(amount)) as per_kind)
    from ids
$$;
