-- Locks: users and sessions, for a moment, for the references from the new, empty table.
-- Devices that show notifications while the web app is closed (Web Push). One ends with the session that made it.
create table push_subscriptions (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references users,
  session_id  uuid not null references sessions on delete cascade,
  endpoint    text not null check (length(endpoint) <= 1000),
  public_key  text not null check (length(public_key) = 87),
  auth_secret text not null check (length(auth_secret) = 22),
  created_at  timestamptz not null default now(),
  constraint push_subscriptions_endpoint unique (endpoint)
);
create index push_subscriptions_of_user on push_subscriptions (user_id, created_at);
create index push_subscriptions_of_session on push_subscriptions (session_id);
