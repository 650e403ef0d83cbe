-- Adds the browser's session at the start of a sign-in with an issuer, which its end ends: browsers do not send the session's
-- cookie with the issuer's redirect (server/identity/openid/sign-in-attempt.ts).
-- Locks: openid_attempts exclusively, for a moment.
alter table openid_attempts add column session_hash bytea;
