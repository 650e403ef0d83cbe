-- When another Admin made a user an Admin. Null for users who are none, and for those who were Admins before or are by the
-- operator's setup (docs/decisions/0052-new-admins.md).
alter table users add column admin_since timestamptz;
