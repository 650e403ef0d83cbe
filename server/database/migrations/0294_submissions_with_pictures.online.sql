-- Whether a picture is part of an answer to an item. Only answers with URLs are in it: the index before had each answer of every item, and a
-- decision wrote them again (docs/decisions/0104-heap-only-updates.md). An instance of the previous version that deletes unused pictures beside it
-- reads the table instead.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently submissions_with_pictures on submissions
  using gin (jsonb_path_query_array(answers, '$.*[*]') jsonb_path_ops) where answers @? '$.*[*] ? (@ like_regex "^http" flag "i")';
drop index concurrently if exists submissions_answered_with;
