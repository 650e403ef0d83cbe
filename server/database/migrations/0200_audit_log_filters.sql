-- The audit log of Admins by Admin and by action (docs/specification/access.md#record-of-admin-actions).
create index admin_audit_log_of_admin on admin_audit_log ((content::jsonb ->> 'admin'), id);
create index admin_audit_log_of_act on admin_audit_log ((content::jsonb ->> 'act'), id);
