-- Goes up whenever a person's sessions end together: a new password, a reset, a link that took the account over. A
-- sign-in that was under way then, on what it had checked before, starts no session.
alter table identities add column credentials_version int not null default 0;
