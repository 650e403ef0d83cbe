-- A rule saying no, from inside SQL: the error handler turns it into an answer with this code and sentence.
create or replace function refuse(p_code text, p_message text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'TW001', message = p_message, detail = p_code;
end $$;
