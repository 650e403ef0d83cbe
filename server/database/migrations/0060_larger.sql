-- What a large marketplace needs beside the first indexes: the list of all tasks by slots left, and whether an ended
-- session knows a network.
create index tasks_listed_by_slots on tasks (slots_left desc, id desc) where deleted_at is null;
drop index sessions_of_identity;
create index sessions_of_identity on sessions (identity_id);
