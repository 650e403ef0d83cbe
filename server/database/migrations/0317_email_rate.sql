-- The pace of emails, which all instances share because the mail provider limits their sum (docs/decisions/0110-rate-of-emails.md).
-- Locks: nothing; the table is new.
create table email_rate (
  id      boolean primary key default true,
  next_at timestamptz not null, -- the time by which all emails so far are sent at an even pace
  constraint email_rate_one_row check (id)
);
