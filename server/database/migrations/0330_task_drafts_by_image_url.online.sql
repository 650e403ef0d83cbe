-- Finds drafts by their picture. A hash: a URL of 2,000 characters that are not ASCII exceeds the size of an entry of a B-tree, so its
-- draft could not be saved.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently task_drafts_by_image_url on task_drafts using hash (image_url) where image_url <> '';
drop index concurrently if exists task_drafts_by_image;
