-- What the operator tunes at run time on a screen (docs/specification/settings.md). contract/operator-settings.ts lists the
-- names with the form of their values; every name has a row. Changes are append-only: each has the value from then on.
create table operator_settings (
  name       text primary key,
  value      jsonb not null,
  version    int not null default 1,
  changed_by uuid references users,                 -- null: the default
  changed_at timestamptz not null default clock_time(),
  constraint operator_settings_value check (jsonb_typeof(value) = 'object')
);

create table operator_setting_changes (
  name       text not null references operator_settings,
  version    int not null,
  value      jsonb not null,
  changed_by uuid references users,
  changed_at timestamptz not null default clock_time(),
  reason     text not null,
  primary key (name, version)
);
