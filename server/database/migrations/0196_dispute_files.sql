-- Files of the evidence for a dispute: the receipt and what Admins added. Their content is stored at the card processor only.
create table dispute_files (
  dispute_id   text not null references payment_disputes,
  field        text not null,
  type         text not null,
  bytes        int not null,
  sha256       text not null,
  provider_id  text not null,
  added_by     uuid references users,                 -- null: the receipt, which the server makes
  added_at     timestamptz not null default clock_time(),
  submitted_at timestamptz,
  primary key (dispute_id, field),
  constraint dispute_files_field check (field in ('receipt', 'serviceDocumentation', 'customerCommunication', 'other')),
  constraint dispute_files_type check (type in ('application/pdf', 'image/jpeg', 'image/png')),
  constraint dispute_files_bytes check (bytes > 0),
  constraint dispute_files_by_server check ((added_by is null) = (field = 'receipt'))
);

-- The sandbox's replacement of the processor's files and of what the bank was sent.
create table sandbox_files (
  id         text primary key,
  type       text not null,
  bytes      int not null,
  created_at timestamptz not null default clock_time()
);
alter table sandbox_intents add column evidence jsonb;
