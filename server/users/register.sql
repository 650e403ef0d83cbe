-- Registers an identity as a user with their starting coins (docs/specification/users.md). Returns false and changes
-- nothing when the identity is a user already. Refuses an email that the identity no longer has.
create or replace function register_user(
  p_id uuid, p_role user_role, p_name text, p_email text, p_email_key text, p_image text, p_coins bigint, p_wallet bigint)
returns boolean language plpgsql as $$
declare
  account bigint;
  current_key text;
begin
  -- Concurrent first calls: the second waits for this lock and then finds the user. So does one during a change of email.
  select email_key into current_key from identities where id = p_id for no key update;
  if exists (select from users where id = p_id) then
    return false;
  elsif current_key is distinct from p_email_key then
    perform refuse('not_yours.registration');
  end if;

  account := open_account('user', p_id);
  insert into users (id, role, name, email, email_key, image, wallet, account_id)
  values (p_id, p_role, p_name, p_email, p_email_key, p_image, p_wallet, account);
  if p_coins > 0 then
    perform transfer('sign_up_bonus', p_id, platform_account(), account, p_coins);
  end if;
  return true;
end $$;
