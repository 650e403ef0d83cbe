-- Returns the user's open purchase of a package, and creates it if there is none. A purchase that was begun before the
-- operator changed the package keeps its coins and its price.
create or replace function find_or_create_purchase(p_id uuid, p_user uuid, p_coins bigint, p_cents bigint, p_mode card_mode)
returns uuid language plpgsql as $$
declare
  existing uuid;
begin
  loop
    insert into purchases (id, user_id, coins, amount_cents, mode) values (p_id, p_user, p_coins, p_cents, p_mode)
    on conflict (user_id, amount_cents, coins) where state = 'open' do nothing;
    if found then
      return p_id;
    end if;
    select id into existing from purchases where user_id = p_user and amount_cents = p_cents and coins = p_coins and state = 'open';
    if found then
      return existing;
    end if;
  end loop;
end $$;
