-- Adds to each password whether an Admin may have it (docs/specification/identity.md#input-rules). Null: it is older, and its next
-- sign-in fills it in.
-- Locks: identities exclusively, for a moment.
alter table identities add column password_suits_admin boolean;
