-- Imports the lines of a statement (docs/specification/payout-files.md#statements): each settles its payout, or becomes a payout
-- case. Importing a line again changes nothing, in whichever file and order it comes. Returns the number of lines by result.
-- Lock order: the Admin, imports one at a time, withdrawals by id, batches by id, payouts by withdrawal, what each settles, the audit log.
create or replace function import_payout_statement(
  p_id uuid, p_admin uuid, p_account text, p_file_name text, p_sha256 text, p_mapping jsonb, p_lines jsonb)
returns table (statement_id uuid, counts jsonb) language plpgsql as $$
declare
  refs text[];
  entry record;
  result text;
  settled uuid[] := '{}';
  opened int;
begin
  perform require_admin(p_admin);
  perform pg_advisory_xact_lock(7461072);
  insert into payout_statements (id, account, file_name, sha256, mapping, imported_by)
  values (p_id, p_account, p_file_name, p_sha256, p_mapping, p_admin)
  on conflict (account, sha256) do update set file_name = p_file_name, mapping = p_mapping, imported_by = p_admin, imported_at = clock_time()
  returning id into statement_id;

  select array_agg(given.line ->> 'reference') into refs from jsonb_array_elements(p_lines) as given(line);
  perform from withdrawals where id in (select withdrawal_id from payouts where reference = any (refs)) order by id for no key update;
  perform from payout_batches where id in (select batch_id from payouts where reference = any (refs)) order by id for no key update;

  counts := '{"confirmed": 0, "failed": 0, "settled": 0, "repeated": 0, "pending": 0, "ignored": 0, "cases": 0}';
  -- The order does not depend on that of the file.
  for entry in
    select given.line, payouts.id as payout
      from jsonb_array_elements(p_lines) as given(line) left join payouts on payouts.reference = given.line ->> 'reference'
     order by payouts.withdrawal_id, payouts.attempt, (given.line ->> 'outcome')::statement_outcome, (given.line - 'number')::text
  loop
    result := import_statement_line(statement_id, p_admin, p_account, entry.line, entry.payout);
    counts := jsonb_set(counts, array[result], to_jsonb((counts ->> result)::int + 1));
    if result in ('confirmed', 'failed') then
      settled := settled || entry.payout;
    end if;
  end loop;
  update payout_statements set counts = import_payout_statement.counts where id = statement_id;
  -- Imports run one at a time, and payout cases have the time of their transaction.
  select count(*) into opened from payout_cases where opened_at = clock_time() and resolved_at is null;
  if opened > 0 then
    perform notify_user(id, 'payout_cases_opened', jsonb_build_object('count', opened, 'file', p_file_name), statement_id)
       from users where role = 'Admin' and deleted_at is null order by id;
  end if;
  perform enqueue_payout_change(p_admin);
  perform log_payout_outcome(id, p_admin) from unnest(settled) as id;
  perform log_admin_action(p_admin, 'payout_statement_imported', statement_id, jsonb_build_object('account', p_account,
    'file', p_file_name, 'sha256', p_sha256, 'counts', counts));
  return next;
end $$;

-- Imports one line and returns its result: a name of `counts`. The caller holds the locks.
create or replace function import_statement_line(p_statement uuid, p_admin uuid, p_account text, p_line jsonb, p_payout uuid)
returns text language plpgsql as $$
declare
  existing payout_statement_lines;
  payout payouts;
  classification text;
  stored uuid;
  transaction_id text := p_line ->> 'transactionId';
  shared_key text := concat(p_line ->> 'key', ' ', p_line ->> 'reference');
  stored_key text;
  fee bigint := case when p_line ->> 'currency' = 'BDT' then (p_line ->> 'fee')::bigint end;
begin
  -- Some banks give one transaction id to every line of a bulk transfer: the lines of further payouts have their reference in
  -- the stored key.
  select * into existing from payout_statement_lines
   where account = p_account and line_key in (p_line ->> 'key', shared_key)
     and (payout_id is null or payout_id = p_payout or (p_payout is null and result = 'matched'))
   order by line_key = shared_key desc, result = 'matched' desc, payout_id is null limit 1;
  if existing.result = 'matched' then
    -- An older statement has the line while it was pending.
    if p_line ->> 'outcome' = 'pending' or (existing.reference, existing.transaction_id, existing.account_number, existing.amount, existing.currency, existing.outcome::text, false)
       is not distinct from (p_line ->> 'reference', transaction_id, p_line ->> 'accountNumber', (p_line ->> 'amount')::bigint,
         p_line ->> 'currency', p_line ->> 'outcome', (p_line ->> 'incoming')::boolean) then
      return 'repeated';
    end if;
    -- An Admin's decision about this line replaced its outcome (resolve_payout_case).
    if exists (select from payout_cases where line_id = existing.id and resolved_by is not null and line = p_line - 'number') then
      return 'repeated';
    end if;
    perform open_payout_case(existing.id, existing.payout_id, 'edited_line', p_line);
    return 'cases';
  end if;

  select * into payout from payouts where id = p_payout for no key update;
  classification := classify_statement_line(p_line, payout, p_admin);
  stored_key := coalesce(existing.line_key,
    (select shared_key from payout_statement_lines where account = p_account and line_key = p_line ->> 'key'), p_line ->> 'key');
  insert into payout_statement_lines (statement_id, account, line_key, line_number, reference, transaction_id, account_number, amount,
    currency, fee, outcome, status_text, result, payout_id)
  values (p_statement, p_account, stored_key, (p_line ->> 'number')::int, p_line ->> 'reference', transaction_id,
    p_line ->> 'accountNumber', (p_line ->> 'amount')::bigint, p_line ->> 'currency', (p_line ->> 'fee')::bigint,
    (p_line ->> 'outcome')::statement_outcome, p_line ->> 'status',
    case classification when 'matched' then 'matched' when 'pending' then 'pending' when 'ignored' then 'ignored' else 'unmatched' end::statement_result,
    p_payout)
  on conflict (account, line_key) do update
     set statement_id = excluded.statement_id, line_number = excluded.line_number, reference = excluded.reference,
         transaction_id = excluded.transaction_id, account_number = excluded.account_number, amount = excluded.amount,
         currency = excluded.currency, fee = excluded.fee, outcome = excluded.outcome, status_text = excluded.status_text,
         result = excluded.result, payout_id = excluded.payout_id
  returning id into stored;

  if classification in ('pending', 'ignored') then
    return classification;
  elsif classification <> 'matched' then
    perform open_payout_case(stored, p_payout, classification::payout_case_kind, p_line);
    return 'cases';
  end if;
  update payout_cases set resolved_at = clock_time() where line_id = stored and resolved_at is null;
  if p_line ->> 'outcome' = 'failed' then
    return case fail_payout(p_payout, 'statement', p_admin, coalesce(nullif(p_line ->> 'status', ''), 'Failed'), false, p_logs => false)
      when 1 then 'failed' else 'settled' end;
  end if;
  return case confirm_payout(p_payout, 'statement', p_admin, transaction_id, fee, p_logs => false) when 1 then 'confirmed' else 'settled' end;
end $$;

-- Returns `matched`, `pending`, `ignored` or the kind of the payout case that a line is.
create or replace function classify_statement_line(p_line jsonb, p_payout payouts, p_admin uuid)
returns text language plpgsql stable as $$
declare
  outcome text := p_line ->> 'outcome';
  amount bigint := (p_line ->> 'amount')::bigint;
begin
  if p_payout.id is null then
    return case when (p_line ->> 'incoming')::boolean or amount is null or outcome = 'failed' then 'ignored'
                when outcome = 'pending' then 'pending' else 'unknown_reference' end;
  elsif (p_line ->> 'incoming')::boolean then
    return case when p_payout.state = 'confirmed' then 'failed_after_payment' else 'unclear_status' end;
  elsif outcome = 'pending' then
    return 'pending';
  elsif amount is null then
    return 'unreadable_amount';
  elsif outcome = 'unclear' then
    return 'unclear_status';
  elsif exists (select from payout_statement_lines where payout_id = p_payout.id and result = 'matched') then
    return 'second_line';
  elsif amount is distinct from (case p_line ->> 'currency' when 'BDT' then p_payout.poisha else p_payout.cents end) then
    return 'amount_differs';
  elsif not is_same_account_number(p_payout, p_line ->> 'accountNumber') then
    return 'number_differs';
  elsif p_payout.state in ('queued', 'removed') then
    return 'not_sent';
  elsif exists (select from withdrawals where id = p_payout.withdrawal_id and worker_id = p_admin) then
    return 'own_payout';
  elsif outcome = 'failed' then
    return case p_payout.state when 'confirmed' then 'failed_after_payment' else 'matched' end;
  elsif p_payout.state = 'failed' then
    return 'paid_after_failure';
  elsif p_payout.state = 'confirmed' and p_payout.transaction_id not in ('', p_line ->> 'transactionId') and p_line ->> 'transactionId' <> '' then
    return 'other_transaction';
  end if;
  return 'matched';
end $$;

-- Returns whether a statement's account number is that of a payout. Statements and spreadsheets lose leading zeros and add the
-- country code; requests to a bank may have its name beside the number. An empty number matches. Email addresses are compared as
-- they are.
create or replace function is_same_account_number(p_payout payouts, p_number text) returns boolean language sql immutable as $$
  select p_number = '' or lower(p_number) = lower(p_payout.account_number)
         or (significant_digits(p_number) <> '' and significant_digits(p_number) = significant_digits(p_payout.account_number)
             and strpos(p_number || p_payout.account_number, '@') = 0)
         or (p_payout.payment_system in ('Bank', 'Other') and length(regexp_replace(p_number, '\D', '', 'g')) >= 8
             and strpos(regexp_replace(p_payout.account_number, '\D', '', 'g'), regexp_replace(p_number, '\D', '', 'g')) > 0)
$$;
create or replace function significant_digits(p_number text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(p_number, '\D', '', 'g'), '^(00)?(88)?0*', '')
$$;

-- Opens a payout case for a line, once for each kind and content. One that was closed while its payout's outcome is unknown is
-- opened again, because nothing else settles the payout.
create or replace function open_payout_case(p_line uuid, p_payout uuid, p_kind payout_case_kind, p_content jsonb)
returns void language sql as $$
  insert into payout_cases (line_id, payout_id, kind, line) values (p_line, p_payout, p_kind, p_content - 'number')
  on conflict (line_id, kind, md5(line::text)) do update
     set opened_at = clock_time(), resolved_at = null, resolved_by = null, note = ''
   where payout_cases.resolved_at is not null
     and exists (select from payouts where id = payout_cases.payout_id and state = 'unknown')
$$;
