-- The language in which a user's notifications and emails are written (contract/locales.ts). The server checks that a language
-- exists, so that a new one needs no migration.
-- Locks: users, for a moment; the column has a constant default.
alter table users add column locale text not null default 'en';
