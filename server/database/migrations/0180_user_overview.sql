-- The overview of a user for Admins (docs/specification/users.md#overview-for-admins).
create index admin_audit_log_of_subject on admin_audit_log ((content::jsonb ->> 'subject'), id);
create index sessions_by_device on sessions (device, identity_id) where device <> '';
