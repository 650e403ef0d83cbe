-- Returns whether an Admin can settle the payout of a payout case by its line: the line is about a payout whose outcome is not
-- known, and no other line has settled it.
create or replace function is_decidable_payout_case(p_case payout_cases) returns boolean language sql stable as $$
  select p_case.resolved_at is null
     and p_case.kind in ('amount_differs', 'number_differs', 'own_payout', 'unclear_status', 'unreadable_amount')
     and exists (select from payouts where id = p_case.payout_id and state in ('sent', 'unknown'))
$$;

-- Resolves a payout case with a note. `confirm` and `fail` settle its payout by the line. Lock order: the Admin, imports, the
-- payout's withdrawal and batch, the payout case.
create or replace function resolve_payout_case(p_case uuid, p_admin uuid, p_decision text, p_note text) returns void language plpgsql as $$
declare
  found_case payout_cases;
begin
  perform require_admin(p_admin);
  perform pg_advisory_xact_lock(7461072);
  select * into found_case from payout_cases where id = p_case;
  if not found then
    perform refuse('not_found.payout_case');
  elsif found_case.resolved_at is not null then
    perform refuse('already_decided.payout_case');
  end if;
  perform refuse_reporter(found_case.payout_id, 'admin', p_admin);
  if p_decision <> 'close' then
    if found_case.payout_id is not null then
      perform lock_payout(found_case.payout_id);
    end if;
    if not is_decidable_payout_case(found_case) then
      perform refuse('state_conflict.payout_case');
    elsif p_decision = 'confirm' then
      perform confirm_payout(found_case.payout_id, 'statement', p_admin, found_case.line ->> 'transactionId',
        case when found_case.line ->> 'currency' = 'BDT' then (found_case.line ->> 'fee')::bigint end);
    else
      perform fail_payout(found_case.payout_id, 'statement', p_admin, p_note, false);
    end if;
    update payout_statement_lines set result = 'matched', outcome = case p_decision when 'confirm' then 'paid' else 'failed' end::statement_outcome
     where id = found_case.line_id;
  end if;
  update payout_cases set resolved_at = clock_time(), resolved_by = p_admin, note = p_note where id = p_case;
  perform log_admin_action(p_admin, 'payout_case_resolved', p_case, jsonb_build_object('kind', found_case.kind,
    'decision', p_decision, 'note', p_note, 'payout', found_case.payout_id));
end $$;

create or replace function audit_statements()
returns table (name text, checked bigint, wrong bigint) language sql stable as $$
  select 'every payout that a statement confirmed has one line of its amount, or an Admin''s decision, and one transfer', count(*),
         count(*) filter (where lines.id is null or moved.id is null or lines.outcome <> 'paid'
           or (lines.amount is distinct from case lines.currency when 'BDT' then payouts.poisha else payouts.cents end
               and not exists (select from payout_cases where line_id = lines.id and resolved_by is not null)))
    from payouts
    left join payout_statement_lines as lines on lines.payout_id = payouts.id and lines.result = 'matched'
    left join ledger_transfers as moved on moved.kind = 'withdrawal_paid' and moved.ref = payouts.withdrawal_id
   where payouts.state = 'confirmed' and payouts.source = 'statement'
  union all
  select 'every matched line of a statement has its payout settled as it says', count(*),
         count(*) filter (where payouts.state::text <> case lines.outcome when 'paid' then 'confirmed' else 'failed' end)
    from payout_statement_lines as lines join payouts on payouts.id = lines.payout_id where lines.result = 'matched'
  union all
  select 'every line that matches no payout has a case', count(*),
         count(*) filter (where not exists (select from payout_cases where line_id = lines.id))
    from payout_statement_lines as lines where lines.result = 'unmatched'
$$;
