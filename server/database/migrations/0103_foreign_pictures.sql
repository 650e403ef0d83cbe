-- Pictures at other sites that users and tasks name, fetched once and stored small. Without bytes: refused, not fetched
-- again before it is removed.
create table foreign_pictures (
  url        text primary key,
  bytes      bytea,
  fetched_at timestamptz not null default clock_time()
);
create index foreign_pictures_by_age on foreign_pictures (fetched_at);
