-- Who may work on a task (docs/specification/audience.md): the workers of a buyer, blocks, favourites, qualifications, and what a
-- task requires.
-- Locks: users and tasks, for the moment in which foreign keys are added to new tables; tasks, exclusively for a moment, while
-- columns with constant defaults are added.

-- The workers of a buyer, with their record with this buyer. A background job computes it from submissions
-- (docs/specification/records.md). Buyers know a worker by the pseudonym.
create table buyer_workers (
  buyer_id  uuid not null references users,
  worker_id uuid not null references users,
  pseudonym text not null,
  submitted int not null,
  approved  int not null,
  rejected  int not null,
  last_at   timestamptz not null,
  primary key (buyer_id, worker_id),
  constraint buyer_workers_pseudonym unique (buyer_id, pseudonym)
);
create index buyer_workers_newest on buyer_workers (buyer_id, last_at desc, worker_id desc);

insert into buyer_workers (buyer_id, worker_id, pseudonym, submitted, approved, rejected, last_at)
select buyer_id, worker_id, 'W' || substr(encode(sha256(convert_to(buyer_id::text || worker_id::text, 'UTF8')), 'hex'), 1, 11),
       count(*), count(*) filter (where status = 'approved'), count(*) filter (where status = 'rejected' and decided_by <> 'worker_left'),
       date_trunc('milliseconds', max(created_at))
  from submissions group by buyer_id, worker_id;

create table favourite_workers (
  buyer_id   uuid not null references users,
  worker_id  uuid not null references users,
  created_at timestamptz not null default clock_time(),
  primary key (buyer_id, worker_id)
);
create index favourite_workers_of_worker on favourite_workers (worker_id);

-- A buyer does not offer a worker any more work. Ended blocks stay, for Admins.
create table worker_blocks (
  id         uuid primary key,
  buyer_id   uuid not null references users,
  worker_id  uuid not null references users,
  reason     text not null check (length(reason) between 1 and 2000),
  created_at timestamptz not null default clock_time(),
  ended_at   timestamptz,
  ended_by   uuid references users,
  constraint worker_blocks_ended check ((ended_at is null) = (ended_by is null))
);
create unique index worker_blocks_live on worker_blocks (buyer_id, worker_id) where ended_at is null;
create index worker_blocks_of_buyer on worker_blocks (buyer_id, id);
create index worker_blocks_of_worker on worker_blocks (worker_id, id);

-- What a buyer confirms about workers.
create table qualifications (
  id          uuid primary key,
  buyer_id    uuid not null references users,
  name        text not null,
  description text not null,
  created_at  timestamptz not null default clock_time()
);
create unique index qualifications_of_buyer on qualifications (buyer_id, lower(name));

create table qualified_workers (
  qualification_id uuid not null references qualifications on delete cascade,
  worker_id        uuid not null references users,
  created_at       timestamptz not null default clock_time(),
  primary key (qualification_id, worker_id)
);
create index qualified_workers_of_worker on qualified_workers (worker_id);

-- The languages that workers have entered.
create table worker_languages (
  worker_id uuid primary key references users,
  languages text[] not null check (cardinality(languages) <= 100)
);

-- What a task requires of its workers; null and empty: nothing. A task without a row requires nothing.
create table task_requirements (
  task_id              uuid primary key references tasks,
  qualifications       uuid[] not null,
  approval_percent_min int check (approval_percent_min between 1 and 100),
  approved_min         int check (approved_min >= 1),
  language             text
);

-- The link of a private task, and the workers who opened it. Deleting it ends their access.
create table task_links (
  task_id    uuid primary key references tasks,
  token      text not null,
  created_at timestamptz not null default clock_time(),
  constraint task_links_token unique (token)
);
create table task_link_uses (
  task_id    uuid not null references task_links on delete cascade,
  worker_id  uuid not null references users,
  created_at timestamptz not null default clock_time(),
  primary key (task_id, worker_id)
);
create index task_link_uses_of_worker on task_link_uses (worker_id);

-- When a task appears in lists: later than it was posted while the buyer's favourites are first, never for a private task.
alter table tasks
  add column listed_from timestamptz not null default '-infinity',
  add column has_requirements boolean not null default false;

-- Their successors have a parameter more (server/tasks/add.sql).
drop function if exists add_task(uuid, uuid, text, text, text, text, int, bigint, date, text, bigint, int, int, text);
drop function if exists add_task(uuid, uuid, text, text, text, text, int, bigint, date, text, bigint, int, int, text, uuid);
