-- Records of buyers, workers and tasks that others see before they decide (docs/specification/records.md). A background
-- job computes them from the submissions of those whom a notification was about since its last run.
create table buyer_records (
  buyer_id   uuid primary key references users,
  record     jsonb not null,
  updated_at timestamptz not null default clock_time()
);
create index buyer_records_by_age on buyer_records (updated_at);

create table worker_records (
  worker_id  uuid primary key references users,
  approved   int not null,
  rejected   int not null,
  updated_at timestamptz not null default clock_time()
);

create table task_records (
  task_id        uuid primary key references tasks,
  timed          int not null,                           -- submissions whose work began with a reservation
  median_seconds int not null
);

-- The notification up to which records are computed.
create table records_watermark (
  only_row boolean primary key default true check (only_row),
  up_to    bigint not null
);
insert into records_watermark (up_to) values (0);
