-- Exported files of payout batches, imported statements, and what the two disagree about.
alter table payout_batches add constraint payout_batches_exchange_rate foreign key (exchange_rate_id) references exchange_rates;

-- A file stays byte for byte as it was downloaded first, also when its profile changes or a worker's name does.
create table payout_files (
  id          uuid primary key,
  batch_id    uuid not null references payout_batches,
  profile     text not null,                         -- its name then
  columns     jsonb not null,
  content     bytea not null,
  sha256      text not null,
  row_count   int not null,
  cents       bigint not null,
  poisha      bigint,                                -- of the rows in taka; null: none
  exported_by uuid not null references users,
  exported_at timestamptz not null default clock_time(),
  constraint payout_files_sha256 check (sha256 = encode(sha256(content), 'hex'))
);
create unique index payout_files_of_batch on payout_files (batch_id, md5(columns::text));

create table payout_statements (
  id          uuid primary key,
  account     text not null,                         -- the account of the bank or wallet, as the operator calls it
  file_name   text not null,
  sha256      text not null,
  mapping     jsonb not null,                        -- its columns, as the operator mapped them
  counts      jsonb not null default '{}',           -- of the last import
  imported_by uuid not null references users,
  imported_at timestamptz not null default clock_time(),
  constraint payout_statements_file unique (account, sha256)
);
create index payout_statements_newest on payout_statements (imported_at desc, id desc);

create type statement_outcome as enum ('paid', 'failed', 'pending', 'unclear');
create type statement_result as enum ('matched', 'pending', 'ignored', 'unmatched');

-- One row for each line of an account, however many statements list it. A matched line is never changed.
create table payout_statement_lines (
  id             uuid primary key default gen_random_uuid(),
  statement_id   uuid not null references payout_statements,  -- the one that it was read from last
  account        text not null,
  line_key       text not null,                      -- the transaction id, else the reference, else the content
  line_number    int not null,
  reference      text not null,
  transaction_id text not null,
  account_number text not null,
  amount         bigint,                             -- hundredths; null: not a number
  currency       text not null,
  fee            bigint,
  outcome        statement_outcome not null,
  status_text    text not null,
  result         statement_result not null,
  payout_id      uuid references payouts,
  constraint payout_statement_lines_key unique (account, line_key),
  constraint payout_statement_lines_matched check (result <> 'matched' or payout_id is not null)
);
-- A payout is settled by one line.
create unique index payout_statement_lines_payout on payout_statement_lines (payout_id) where result = 'matched';
create index payout_statement_lines_statement on payout_statement_lines (statement_id);

create type payout_case_kind as enum ('unknown_reference', 'unreadable_amount', 'amount_differs', 'number_differs', 'edited_line',
  'second_line', 'other_transaction', 'not_sent', 'paid_after_failure', 'failed_after_payment', 'own_payout', 'unclear_status');

create table payout_cases (
  id          uuid primary key default gen_random_uuid(),
  line_id     uuid not null references payout_statement_lines,
  payout_id   uuid references payouts,
  kind        payout_case_kind not null,
  line        jsonb not null,                        -- the line as it was read
  opened_at   timestamptz not null default clock_time(),
  resolved_at timestamptz,
  resolved_by uuid references users,                 -- null: a later statement resolved it
  note        text not null default '',
  constraint payout_cases_resolved check (resolved_by is null or resolved_at is not null)
);
create unique index payout_cases_once on payout_cases (line_id, kind, md5(line::text));
create index payout_cases_open on payout_cases (opened_at, id) where resolved_at is null;
