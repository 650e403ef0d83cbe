-- All that a typed account is compared by (docs/specification/risk.md#score): of a saved bank account its number, of texts every number of
-- 10 to 17 digits, so that a longer made-up one hides no account, or else the longest of 8 or 9. Other short ones are dates, branch codes and
-- routing numbers, which strangers share. Digits that are written apart are one number, unless together they are too many for an account.
-- The next migrations add the indexes, so the function belongs to no version of the server. The version before uses account_key until its
-- instances end.
-- Locks: nothing.
create function account_keys(p_system payment_system, p_account text) returns text[] language plpgsql immutable parallel safe as $$
declare
  typed text := translate(p_account, '০১২৩৪৫৬৭৮৯', '0123456789');
  -- The end of bank_account.
  saved text := substring(typed from '([0-9]{8,17}), routing [0-9]{9}$');
  numbers text[];
begin
  if p_system in ('Bkash', 'Nagad', 'Rocket') then
    return array[left(typed, 11)];
  end if;
  numbers := array(
    select number
      from regexp_matches(regexp_replace(typed, 'routing *(number|no)?[.:# ]*[0-9]{9}(?![0-9])', '', 'gi'), '[0-9][0-9 .-]*', 'g') as runs (groups)
      cross join lateral (select runs.groups[1] as apart, regexp_replace(runs.groups[1], '[ .-]', '', 'g') as joined) as run
      cross join lateral regexp_split_to_table(case when length(joined) <= 17 then joined else apart end, '[ .-]+') as number
     where length(number) between 8 and 17);
  if numbers = '{}' then
    return array[lower(regexp_replace(typed, '[^[:alnum:]]', '', 'g'))];
  end if;
  return array(
    select distinct number from unnest(numbers) as number
     where number = saved
        or length(number) >= least(10, case when saved is null then (select max(length(longest)) from unnest(numbers) as longest) end));
end $$;
