-- All coins that ever moved, by kind, in one snapshot: the kept sums and what came after them.
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

-- Moves the kept sums forward. Transfers are numbered when they are written and seen when they are committed, so the
-- newest number is only marked now, and taken up when every transaction of that time has ended. The thousand newest
-- stay out: one may have its number and not yet a transaction to see. Answers how many numbers were taken up.
create or replace function update_transfer_totals() returns bigint language plpgsql as $$
declare
  mark transfer_totals_watermark;
  taken bigint := 0;
begin
  select * into mark from transfer_totals_watermark for update skip locked;
  if not found then
    return 0;
  end if;
  if mark.next_up_to > mark.up_to then
    if mark.next_xid > pg_snapshot_xmin(pg_current_snapshot()) then
      return 0;
    end if;
    insert into transfer_totals as kept (kind, amount, transfers)
    select kind, sum(amount), count(*) from ledger_transfers
     where id > mark.up_to and id <= mark.next_up_to group by kind
    on conflict (kind) do update set
      amount = kept.amount + excluded.amount, transfers = kept.transfers + excluded.transfers;
    taken := mark.next_up_to - mark.up_to;
  end if;
  update transfer_totals_watermark set
    up_to = greatest(mark.up_to, coalesce(mark.next_up_to, 0)),
    next_up_to = (select max(id) - 1000 from ledger_transfers),
    next_xid = pg_snapshot_xmax(pg_current_snapshot()),
    marked_at = clock_timestamp();
  return taken;
end $$;

create or replace function audit_transfer_totals()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  with moved as (
    select kind, sum(amount) as amount, count(*) as transfers from ledger_transfers
     where id <= (select up_to from transfer_totals_watermark) group by kind
  )
  select 'the kept sums are those of their transfers', count(*),
         count(*) filter (where (kept.amount, kept.transfers) is distinct from (moved.amount::bigint, moved.transfers))
    from transfer_totals as kept full join moved on moved.kind = kept.kind
$$;
