-- What admins did: append-only, each row sealed with a hash over the row before it and its own text, so that a row
-- changed, added or taken out later shows. `content` is the JSON text that was hashed, letter by letter.
create table admin_record (
  id      bigint primary key,
  content text not null,
  hash    bytea not null,
  constraint admin_record_hash check (length(hash) = 32)
);
