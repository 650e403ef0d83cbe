-- Raises a refusal (contract/refusals.en.ts) by its key and the parameters of its sentence.
create or replace function refuse(p_refusal text, p_params jsonb default '{}') returns void language plpgsql as $$
begin
  raise exception using errcode = 'TW001', message = p_refusal, detail = p_params::text;
end $$;
