-- The texts of public pages (terms, privacy, fees) that the operator has changed, as an append-only history. A page without a
-- row has the default text of server/site-pages/defaults.
create table site_page_versions (
  page       text not null,
  version    int not null,
  text       text not null,
  reason     text not null,
  changed_by uuid not null references users,
  changed_at timestamptz not null default clock_time(),
  primary key (page, version),
  constraint site_page_versions_version check (version > 0)
);
