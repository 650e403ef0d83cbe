-- Returns the total of all transfers by kind, in one snapshot: the stored totals and the transfers after them. `fresh` is
-- the number of transfers read.
create or replace function current_transfer_totals()
returns table (kind transfer_kind, amount bigint, transfers bigint, fresh bigint)
language sql stable parallel safe as $$
  select parts.kind, sum(parts.amount)::bigint, sum(parts.transfers)::bigint, sum(parts.fresh)::bigint
    from (
      select transfer_totals.kind, transfer_totals.amount, transfer_totals.transfers, 0 as fresh from transfer_totals
      union all
      select moved.kind, sum(moved.amount), count(*), count(*) from ledger_transfers as moved
       where moved.id > (select up_to from transfer_totals_watermark) group by moved.kind
    ) as parts group by parts.kind
$$;

-- Adds new transfers to the stored totals and returns how many ids were added. A transfer gets its id before it becomes
-- visible, so this run only marks the newest id; a later run adds the ids up to the mark, once every transaction of that
-- time has ended. The newest thousand are left out: one may have its id and no transaction id yet.
create or replace function update_transfer_totals() returns bigint language plpgsql as $$
declare
  watermark transfer_totals_watermark;
  added bigint := 0;
begin
  select * into watermark from transfer_totals_watermark for update skip locked;
  if not found then
    return 0;
  end if;
  if watermark.next_up_to > watermark.up_to then
    if watermark.next_xid > pg_snapshot_xmin(pg_current_snapshot()) then
      return 0;
    end if;
    insert into transfer_totals as stored (kind, amount, transfers)
    select kind, sum(amount), count(*) from ledger_transfers
     where id > watermark.up_to and id <= watermark.next_up_to group by kind
    on conflict (kind) do update set
      amount = stored.amount + excluded.amount, transfers = stored.transfers + excluded.transfers;
    added := watermark.next_up_to - watermark.up_to;
  end if;
  update transfer_totals_watermark set
    up_to = greatest(watermark.up_to, coalesce(watermark.next_up_to, 0)),
    next_up_to = (select max(id) - 1000 from ledger_transfers),
    next_xid = pg_snapshot_xmax(pg_current_snapshot()),
    marked_at = clock_timestamp();
  return added;
end $$;

create or replace function audit_transfer_totals()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with moved as (
    select kind, sum(amount) as amount, count(*) as transfers from ledger_transfers
     where id <= (select up_to from transfer_totals_watermark) group by kind
  )
  select 'transfer totals are the sums of their transfers', count(*),
         count(*) filter (where (stored.amount, stored.transfers) is distinct from (moved.amount::bigint, moved.transfers))
    from transfer_totals as stored full join moved on moved.kind = stored.kind
$$;
