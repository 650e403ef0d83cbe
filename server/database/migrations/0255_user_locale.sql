-- The language in which a user's notifications and emails are written (contract/locales.ts). The server checks that a language
-- exists, so that a new one needs no migration.
alter table users add column locale text not null default 'en';
