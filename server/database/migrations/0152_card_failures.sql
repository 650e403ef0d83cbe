-- Failed requests to the card processor and refused webhooks, one row per minute, operation and kind, so that an outage
-- makes few rows. The columns after `count` are those of the last failure.
create table card_failures (
  minute     timestamptz not null,
  operation  text not null,
  kind       text not null,
  count      int not null default 1,
  status     int,
  code       text,
  request_id text,                                  -- the provider's, for its support and its log
  message    text not null,
  last_at    timestamptz not null default clock_time(),
  primary key (minute, operation, kind)
);
