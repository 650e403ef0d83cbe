-- Search splits the typed text at punctuation, while PostgreSQL's parser keeps URLs, hyphenated words and numbers like
-- 3e1 together: a user was not found by some e-mail addresses, nor a task by the words of a link. Both are now split alike.
alter table users drop column search;
alter table users add column search tsvector not null generated always as (to_tsvector('simple',
  translate(name || ' ' || email, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))) stored;
create index users_search on users using gin (search);

alter table tasks drop column search;
alter table tasks add column search tsvector not null generated always as (to_tsvector('simple',
  translate(left(title || ' ' || detail, 20000), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))) stored;
create index tasks_search_open on tasks using gin (search) where closed_at is null;
create index tasks_search_closed on tasks using gin (search) where closed_at is not null and deleted_at is null;

truncate search_terms;
insert into search_terms select distinct unnest(tsvector_to_array(search)) from tasks;
