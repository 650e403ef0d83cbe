-- The columns of payout files, as operators map them for their bank or provider. The first three profiles are a beginning:
-- docs/decisions/0043-payout-files.md has what the providers' documentation says and what it leaves open.
create table payout_file_profiles (
  id         uuid primary key,
  name       text not null,
  note       text not null default '',
  columns    jsonb not null,                         -- contract/payout-files.ts
  version    int not null default 1,
  changed_by uuid references users,                  -- null: as installed
  changed_at timestamptz not null default clock_time(),
  constraint payout_file_profiles_name unique (name),
  constraint payout_file_profiles_columns check (jsonb_typeof(columns) = 'array' and jsonb_array_length(columns) > 0)
);

create function pg_temp.file_columns(variadic p_columns text[]) returns jsonb language sql as $$
  select jsonb_agg(jsonb_build_object('header', split_part(given, '=', 1), 'field', split_part(given, '=', 2),
                                      'text', split_part(given, '=', 3), 'asText', split_part(given, '=', 4) = 'text') order by position)
    from unnest(p_columns) with ordinality as columns(given, position)
$$;

insert into payout_file_profiles (id, name, note, columns) values
  (gen_random_uuid(), 'Neutral', 'Every value, for a person or for an import of your own.',
   pg_temp.file_columns('batch_id=batch', 'row=row', 'withdrawal_id=withdrawal', 'payment_system=paymentSystem',
     'account_number=accountNumber==text', 'holder_name=holderName', 'bank_name=bankName', 'branch=branch',
     'routing_number=routingNumber==text', 'amount=amount', 'currency=currency', 'amount_usd=dollars', 'rate=rate',
     'reference=reference', 'requested_on=requestedOn')),
  (gen_random_uuid(), 'Wise',
   'Wise''s template for payments by email. To send to bank accounts, download Wise''s template for your currency and add its columns.',
   pg_temp.file_columns('name=holderName', 'recipientEmail=workerEmail', 'paymentReference=reference',
     'receiverType=fixed=PERSON', 'amountCurrency=fixed=target', 'amount=amount', 'sourceCurrency=fixed=USD',
     'targetCurrency=currency')),
  (gen_random_uuid(), 'Payoneer',
   'Payoneer documents the order of the columns, not their headings. Copy the headings from the template that you download there.',
   pg_temp.file_columns('Recipient email=workerEmail', 'Amount=dollars', 'Currency=fixed=USD', 'Description=reference'));

drop function pg_temp.file_columns;
