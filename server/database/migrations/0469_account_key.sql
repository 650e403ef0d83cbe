-- The account behind a typed number (docs/specification/risk.md#score): of a saved bank account its number, of other texts the longest
-- number that is no routing number. The next two migrations add its indexes, so the function belongs to no version of the server. The
-- version before uses destination_key and its column of withdrawals until its instances end.
-- Locks: nothing.
create function account_key(p_system payment_system, p_account text) returns text language plpgsql immutable parallel safe as $$
begin
  return case when p_system in ('Bkash', 'Nagad', 'Rocket') then left(p_account, 11)
    -- The end of bank_account: a name before it may contain a number.
    else coalesce(substring(p_account from '([0-9]{8,17}), routing [0-9]{9}$'), (
      select numbers.groups[1]
        from regexp_matches(regexp_replace(
               regexp_replace(p_account, 'routing *(number|no)?[.:# ]*[0-9]{9}(?![0-9])', '', 'gi'), '[ .-]', '', 'g'),
               '[0-9]{8,17}', 'g') with ordinality as numbers (groups, position)
       order by length(numbers.groups[1]) desc, position limit 1),
      lower(regexp_replace(p_account, '[^[:alnum:]]', '', 'g'))) end;
end $$;
