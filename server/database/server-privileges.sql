-- Gives the role of the running server the privileges it needs on every table and sequence, and revokes all others. The
-- owner calls it at each start, after the migrations (docs/decisions/0023-the-server-role.md).
--   * The schema's bookkeeping is read-only, except when functions were last used.
--   * A table with a trigger `reject_change…` is append-only: no UPDATE, no DELETE.
--   * A partition is read and written through its table, and has none itself.
--   * Of an account, transfers change the balance and the debt; nothing deletes one.
--   * TRUNCATE, REFERENCES and TRIGGER are never granted, nor CREATE, nor TEMPORARY: a trigger on a temporary table could
--     change balances.
create or replace function grant_server_privileges(p_role name) returns void language plpgsql as $$
declare
  target record;
begin
  for target in
    select wanted.* from (
      select pg_class.oid::regclass as relation, case relkind when 'S' then 'sequence' else 'table' end as kind,
             array(select privilege_type from aclexplode(relacl) where grantee = p_role::regrole
                    order by array_position(array['USAGE', 'SELECT', 'INSERT', 'UPDATE', 'DELETE'], privilege_type)) as granted,
             array_remove(case
               when nspname = 'public' and relispartition then array[]::text[]
               when relkind = 'S' then array['USAGE']
               when nspname = 'public' and relname in ('schema_migrations', 'schema_functions', 'function_sets') then array['SELECT']
               when nspname = 'public' and relname = 'ledger_accounts' then array['SELECT', 'INSERT']
               else array['SELECT', 'INSERT',
                 case when rejected & 16 = 0 then 'UPDATE' end,
                 case when rejected & 8 = 0 then 'DELETE' end]
             end, null) as privileges
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        cross join lateral (
          -- Bits of tgtype: 8 DELETE, 16 UPDATE.
          select coalesce(bit_or(tgtype::int), 0) as rejected from pg_trigger join pg_proc on pg_proc.oid = tgfoid
           where tgrelid = pg_class.oid and proname like 'reject\_change%') as triggers
       where nspname in ('public', 'jobs') and relkind in ('r', 'p', 'v', 'm', 'S')
    ) as wanted where granted <> privileges
     order by wanted.relation::text
  loop
    execute format('revoke all on %s %s from %I', target.kind, target.relation, p_role);
    if target.privileges <> '{}' then
      execute format('grant %s on %s %s to %I', array_to_string(target.privileges, ', '), target.kind, target.relation, p_role);
    end if;
  end loop;

  if not has_column_privilege(p_role, 'public.ledger_accounts', 'debt', 'UPDATE') then
    execute format('grant update (balance, debt) on public.ledger_accounts to %I', p_role);
  end if;
  if not has_column_privilege(p_role, 'public.function_sets', 'used_at', 'UPDATE') then
    execute format('grant update (used_at) on public.function_sets to %I', p_role);
  end if;
  for target in
    select nspname from pg_namespace left join public.function_sets on schema_name = nspname
     where (nspname = 'jobs' or schema_name is not null) and not has_schema_privilege(p_role, pg_namespace.oid, 'USAGE')
  loop
    execute format('grant usage on schema %I to %I', target.nspname, p_role);
  end loop;
  if has_schema_privilege(p_role, 'public', 'CREATE') then
    revoke create on schema public from public;
  end if;
  if has_database_privilege(p_role, current_database(), 'CREATE, TEMPORARY') then
    execute format('revoke create, temporary on database %I from public', current_database());
  end if;
end $$;
