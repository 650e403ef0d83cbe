-- Whether a picture is part of an answer that was revised.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently submission_revisions_answered_with on submission_revisions
  using gin (jsonb_path_query_array(answers_before, '$.*[*]') jsonb_path_ops) where answers_before is not null;
