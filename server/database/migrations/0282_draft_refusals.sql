-- Why a scheduled draft was not posted: the key and the parameters of the refusal, whose sentence is made in the language of its
-- reader. Drafts refused before have an English sentence in `failure_message`.
-- Locks: task_drafts, for a moment.
alter table task_drafts add column refusal jsonb;
