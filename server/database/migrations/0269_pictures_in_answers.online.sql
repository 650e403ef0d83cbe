-- Whether a picture is part of an answer to an item.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently submissions_answered_with on submissions
  using gin (jsonb_path_query_array(answers, '$.*[*]') jsonb_path_ops) where answers is not null;
