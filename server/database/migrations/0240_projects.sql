-- Projects and the files of their batches (docs/specification/projects.md).
-- Locks: users, for the moment in which foreign keys are added to new, empty tables.

create table projects (
  id          uuid primary key,
  buyer_id    uuid not null references users,
  version     int not null default 1,
  created_at  timestamptz not null default clock_time(),
  archived_at timestamptz,
  constraint projects_version check (version >= 1)
);
create index projects_of_buyer on projects (buyer_id, id);

-- Every version of a project, the current one included. `content` has the shape of ProjectContent (contract/projects.ts).
create table project_versions (
  project_id uuid not null references projects,
  version    int not null,
  content    jsonb not null,
  created_at timestamptz not null default clock_time(),
  primary key (project_id, version)
);

-- A file for a project. `columns` are its heading; `problems` the first of its problems, `samples` its first rows.
create table batches (
  id              uuid primary key,
  project_id      uuid not null references projects,
  project_version int not null,
  buyer_id        uuid not null references users,
  file_name       text not null,
  state           text not null default 'uploading',
  bytes           int not null default 0,
  rows_read       int not null default 0,
  items           int not null default 0,
  columns         text[] not null default '{}',
  encoding        text,
  separator       text,
  errors          int not null default 0,
  warnings        int not null default 0,
  problems        jsonb not null default '[]',
  samples         jsonb not null default '[]',
  created_at      timestamptz not null default clock_time(),
  checked_at      timestamptz,
  foreign key (project_id, project_version) references project_versions,
  constraint batches_state check (state in ('uploading', 'checking', 'checked', 'cancelled')),
  constraint batches_checked check ((state = 'checked') <= (checked_at is not null)),
  constraint batches_counts check (bytes >= 0 and rows_read >= 0 and items between 0 and 100000 and errors >= 0 and warnings >= 0)
);
create index batches_of_buyer on batches (buyer_id, id);
create index batches_of_project on batches (project_id, id);
create index batches_to_check on batches (id) where state = 'checking';
create index batches_created on batches (created_at);

-- The pieces of an uploaded file. They are in the database, so that every instance can read them and a check that was
-- interrupted can start again.
create table batch_chunks (
  batch_id uuid not null references batches on delete cascade,
  number   int not null,
  content  bytea not null,
  primary key (batch_id, number),
  constraint batch_chunks_size check (octet_length(content) between 1 and 262144 and number between 0 and 255)
);
