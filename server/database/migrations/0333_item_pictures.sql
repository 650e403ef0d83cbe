-- The pictures that the items of batches show, and a size of pictures of other sites in which a text on them can be read
-- (docs/decisions/0028-foreign-pictures.md). The next migration adds the pictures of the items that are there.
-- Locks: batch_items for writes, for the moment in which a trigger is created; batches for writes, for the moment in which a foreign key is
-- added to a new, empty table; foreign_pictures exclusively, for the moment in which a column is added and an index is dropped.
create table item_pictures (
  url      text not null,
  batch_id uuid not null references batches on delete cascade,
  constraint item_pictures_pkey primary key (url, batch_id)
);
create index item_pictures_of_batch on item_pictures (batch_id);

-- Null: only the small size is stored.
alter table foreign_pictures add column large bytea;
-- They are purged page by page, in the order of their URLs.
drop index foreign_pictures_by_age;

-- server/tasks/item-pictures.sql has these from now on.
create or replace function add_item_pictures(p_batch uuid, p_inputs jsonb) returns void language sql as $$
  insert into item_pictures (url, batch_id)
  select distinct url, p_batch
    from batches join project_versions as versions on versions.project_id = batches.project_id and version = project_version
    cross join jsonb_array_elements_text(content->'pictureColumns') as columns(name)
    cross join jsonb_array_elements(p_inputs) as inputs(input)
    cross join lateral btrim(input->>name, E' \t\n\v\f\r\u00a0\ufeff') as url
   where batches.id = p_batch and octet_length(url) between 1 and 2500
  on conflict do nothing
$$;
create or replace function keep_item_pictures() returns trigger language plpgsql as $$
begin
  perform add_item_pictures(batch_id, jsonb_agg(input)) from inserted group by batch_id;
  return null;
end $$;
create or replace trigger batch_items_pictures after insert on batch_items
  referencing new table as inserted for each statement execute function keep_item_pictures();

-- Running instances write the table as soon as this transaction ends.
do $$
declare
  granted record;
begin
  for granted in
    select grantee, string_agg(privilege_type, ', ') as privileges
      from pg_class, aclexplode(relacl) where oid = 'batch_items'::regclass and grantee <> relowner group by grantee
  loop
    execute format('grant %s on item_pictures to %s', granted.privileges,
      case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end);
  end loop;
end $$;
