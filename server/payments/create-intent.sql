-- Returns the user's open purchase of a package, and creates it if there is none. A purchase that was begun before the
-- operator changed the package or the tax keeps its coins, its price and its tax. `p_cents` are with the tax that is added.
create or replace function find_or_create_purchase(
  p_id uuid, p_user uuid, p_coins bigint, p_cents bigint, p_mode card_mode, p_tax jsonb default null)
returns uuid language plpgsql as $$
declare
  existing uuid;
begin
  loop
    insert into purchases (id, user_id, coins, amount_cents, mode, tax) values (p_id, p_user, p_coins, p_cents, p_mode, p_tax)
    on conflict (user_id, amount_cents, coins, coalesce((tax ->> 'cents')::bigint, 0)) where state = 'open' do nothing;
    if found then
      return p_id;
    end if;
    select id into existing from purchases where user_id = p_user and amount_cents = p_cents and coins = p_coins
       and coalesce((tax ->> 'cents')::bigint, 0) = coalesce((p_tax ->> 'cents')::bigint, 0) and state = 'open';
    if found then
      return existing;
    end if;
  end loop;
end $$;
