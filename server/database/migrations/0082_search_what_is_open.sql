-- Workers search what is open, which stays a small part of all tasks ever posted: a word of theirs is looked up among
-- the open ones only. Each task is in one of the two, so that a change of a task costs no more than before.
create index tasks_search_open on tasks using gin (search) where closed_at is null;
create index tasks_search_closed on tasks using gin (search) where closed_at is not null and deleted_at is null;
drop index tasks_search;
