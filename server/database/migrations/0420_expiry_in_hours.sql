-- The longest times until an exchange rate and an API key expire, in hours. Days follow the time zone of the session: one with daylight
-- saving has days of 23 and of 25 hours, and refused rows that the server or a restore wrote. A key expires after days, of which one may
-- have an hour more: its limit has a day more than 366.
-- Locks: exchange_rates and api_keys exclusively for a moment. Rows are not read: the end of the upgrade validates the constraints, while
-- users write.
alter table exchange_rates
  drop constraint exchange_rates_expiry,
  add constraint exchange_rates_expiry check (expires_at > entered_at and expires_at <= entered_at + interval '744 hours') not valid;
alter table api_keys
  drop constraint api_keys_expiry,
  add constraint api_keys_expiry check (expires_at > created_at and expires_at <= created_at + interval '8808 hours') not valid;
