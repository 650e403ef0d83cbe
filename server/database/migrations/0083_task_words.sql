-- Every word that stands in a task, so that what somebody types can be looked up as the whole words that begin so:
-- tasks/words.sql keeps it, tasks/words.ts reads it. Nobody writes tasks until that is in place.
lock table tasks in share mode;
create table task_words (word text collate "C" primary key);
insert into task_words select distinct unnest(tsvector_to_array(search)) from tasks;
