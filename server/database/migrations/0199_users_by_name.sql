-- The table of users for Admins by name (docs/specification/users.md#table-for-admins). Part of the name, so that a cursor
-- stays short.
create index users_by_name on users (left(lower(name), 40) collate "C", id) where deleted_at is null;
