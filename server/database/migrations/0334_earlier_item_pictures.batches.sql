-- Adds the pictures of the items that were written before 0333, and those of the first rows of files that are not paid.
-- Locks: the row of one batch at a time against its deletion, while its pictures are added.
with part as materialized (
  select batches.id, samples, content->'pictureColumns' as columns
    from batches join project_versions as versions on versions.project_id = batches.project_id and version = project_version
   where batches.id > (case $1::text when '0' then '00000000-0000-0000-0000-000000000000' else $1 end)::uuid
     and state <> 'cancelled' and content->'pictureColumns' <> '[]'
   order by batches.id limit 1
),
added as (
  insert into item_pictures (url, batch_id)
  select distinct url, part.id
    from part
    cross join lateral (select input from batch_items where batch_id = part.id
                        union all select input from jsonb_array_elements(samples) as first(input)) as rows
    cross join jsonb_array_elements_text(columns) as columns(name)
    cross join lateral btrim(input->>name, E' \t\n\v\f\r\u00a0\ufeff') as url
   where octet_length(url) between 1 and 2500
  on conflict do nothing
)
select id as last from part
