-- Registers an identity as a user with their starting coins (docs/specification/users.md): Worker 10, Buyer 50 and a
-- wallet of 100, Admin none. A second call returns false and changes nothing.
create or replace function register_user(
  p_id uuid, p_role user_role, p_name text, p_email text, p_email_key text, p_image text)
returns boolean language plpgsql as $$
declare
  account bigint;
  coins bigint := case p_role when 'Worker' then 10 when 'Buyer' then 50 else 0 end;
begin
  -- Two first calls at once: the second waits here and then finds the record.
  perform from identities where id = p_id for no key update;
  if exists (select from users where id = p_id) then
    return false;
  end if;

  account := open_account('user');
  insert into users (id, role, name, email, email_key, image, wallet, account_id)
  values (p_id, p_role, p_name, p_email, p_email_key, p_image, case p_role when 'Buyer' then 100 else 0 end, account);
  if coins > 0 then
    perform transfer('sign_up_bonus', p_id, platform_account(), account, coins);
  end if;
  return true;
end $$;
