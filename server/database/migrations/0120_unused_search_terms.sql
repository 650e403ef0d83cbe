-- Terms that an edit or a deletion removed from a task, until the job purge-search-terms has checked whether another task
-- contains them (server/tasks/search-terms.sql).
create table unused_search_terms (
  term  text collate "C" primary key,
  since timestamptz not null
);
create index unused_search_terms_by_time on unused_search_terms (since);
