-- Appends a part to a user's upload, if it begins where the upload ends. Returns the upload as it then is, and no row
-- for an upload that the user does not have. The row lock orders parts that arrive at the same time.
create or replace function append_to_upload(p_owner uuid, p_id uuid, p_offset int, p_bytes bytea)
returns table (size int, received int, appended boolean) language plpgsql as $$
declare
  upload uploads;
begin
  select * into upload from uploads where uploads.id = p_id and owner = p_owner for update;
  if not found then
    return;
  end if;
  if p_offset <> upload.received or p_offset + length(p_bytes) > upload.size then
    return query select upload.size, upload.received, false;
    return;
  end if;
  insert into upload_parts (upload_id, start, bytes) values (p_id, p_offset, p_bytes);
  return query
    update uploads set received = uploads.received + length(p_bytes) where uploads.id = p_id
    returning uploads.size, uploads.received, true;
end $$;
