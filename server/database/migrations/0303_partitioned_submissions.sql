-- Partitions of submissions by ranges of ids (docs/decisions/0103-partitions.md). The table becomes the first partition, without bounds.
-- Its rows are neither copied nor read, because a range without bounds needs no check. Foreign keys that refer to it are added without
-- reading their tables; the end of the upgrade validates them.
-- Locks: users, tasks, submissions and the tables that refer to it exclusively, for the moment in which names are swapped. Most writes lock
-- them in this order.
lock table users in access exclusive mode;
lock table tasks in access exclusive mode;
lock table submissions in access exclusive mode;
set local check_function_bodies = off;

do $$
declare
  references_to jsonb;
  one record;
begin
  -- As they are while the table has its name. Their tables are locked in this order.
  select coalesce(jsonb_agg(jsonb_build_object('in', conrelid::regclass::text, 'name', conname, 'definition', pg_get_constraintdef(oid))
                            order by conrelid::regclass::text, conname), '[]')
    into references_to
    from pg_constraint where confrelid = 'submissions'::regclass and contype = 'f';
  for one in select * from jsonb_to_recordset(references_to) as each ("in" text, name text) loop
    execute format('alter table %s drop constraint %I', one."in", one.name);
  end loop;

  alter table submissions rename to submissions_1;
  for one in select relname as name from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = 'submissions_1'::regclass loop
    execute format('alter index %I rename to %I', one.name, replace(one.name, 'submissions', 'submissions_1'));
  end loop;

  create table submissions (like submissions_1 including all excluding indexes excluding statistics) partition by range (id);
  alter table submissions add primary key (id);
  -- A unique index of the table would have to contain the id: those of the partition stay its own.
  for one in
    select relname as name, pg_get_indexdef(indexrelid) as definition
      from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = 'submissions_1'::regclass and not indisunique and indisvalid order by relname
  loop
    execute replace(replace(one.definition, format(' INDEX %I ', one.name), format(' INDEX %I ', replace(one.name, 'submissions_1', 'submissions'))),
                    '.submissions_1 ', '.submissions ');
  end loop;
  for one in
    select conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where conrelid = 'submissions_1'::regclass and contype = 'f' order by conname
  loop
    execute format('alter table submissions add constraint %I %s', one.name, one.definition);
  end loop;

  -- Running instances write to the new table as soon as this transaction ends, and not to the partition.
  for one in
    select string_agg(privilege_type, ', ') as privileges,
           case grantee when 0 then 'public' else grantee::regrole::text end as role
      from pg_class, aclexplode(relacl) where oid = 'submissions_1'::regclass and grantee <> relowner group by grantee
  loop
    execute format('grant %s on submissions to %s', one.privileges, one.role);
    execute format('revoke all on submissions_1 from %s', one.role);
  end loop;

  for one in
    select tgname as name, replace(pg_get_triggerdef(oid), '.submissions_1 ', '.submissions ') as definition
      from pg_trigger where tgrelid = 'submissions_1'::regclass and not tgisinternal order by tgname
  loop
    execute format('drop trigger %I on submissions_1', one.name);
    execute one.definition;
  end loop;

  -- Triggers of a statement fire for the table that it names: nothing is written to a partition directly.
  if to_regprocedure('reject_partition_write()') is null then
    create function reject_partition_write() returns trigger language plpgsql as $body$
    begin
      raise exception '% is a partition: write to its table', tg_table_name;
    end $body$;
  end if;
  create trigger submissions_partition before insert or update or delete or truncate on submissions_1
    for each statement execute function reject_partition_write();

  alter table submissions attach partition submissions_1 for values from (minvalue) to (maxvalue);

  for one in select * from jsonb_to_recordset(references_to) as each ("in" text, name text, definition text) loop
    execute format('alter table %s add constraint %I %s not valid', one."in", one.name, one.definition);
  end loop;

  -- Running versions have functions of a row of the table, whose type is now that of the partition. Each gets another one beside it, of a row of
  -- the new table. None is dropped or changed: a call that waits for this transaction continues in the function that it began.
  for one in
    select split_part(definition, E'\nAS ', 1) as head, substr(definition, strpos(definition, E'\nAS ')) as body
      from pg_proc cross join lateral pg_get_functiondef(pg_proc.oid) as definition
     where prokind = 'f' and exists (
       select from unnest(proargtypes::oid[]) as argument
        where argument in (select unnest(array[reltype, typarray]) from pg_class join pg_type on pg_type.oid = reltype
                            where pg_class.oid = 'submissions_1'::regclass))
  loop
    execute regexp_replace(one.head, '\m(public\.)?submissions_1\M', 'submissions', 'g') || one.body;
  end loop;
end $$;
