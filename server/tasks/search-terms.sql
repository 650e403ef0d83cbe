-- The words of a task are known as soon as it is. In order, so that two who bring the same new words do not wait for
-- each other in a circle; words that no task has any more are no harm.
create or replace function keep_task_words() returns trigger language plpgsql as $$
begin
  insert into task_words select word from unnest(tsvector_to_array(new.search)) as word order by word
  on conflict do nothing;
  return null;
end $$;

create or replace trigger task_words_kept after insert or update of title, detail on tasks
  for each row execute function keep_task_words();
