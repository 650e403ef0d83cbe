-- Keeps the URLs of the pictures that items show in a table by URL, so that neither the pictures of other sites nor those that are
-- uploaded here are looked for in the rows of files (docs/decisions/0028-foreign-pictures.md).

-- Adds the pictures of rows of a batch's file: the values of the project's picture columns, as they are shown. What is too long for an
-- index is left out.
create or replace function add_item_pictures(p_batch uuid, p_inputs jsonb) returns void language sql as $$
  insert into item_pictures (url, batch_id)
  select distinct url, p_batch
    from batches join project_versions as versions on versions.project_id = batches.project_id and version = project_version
    cross join jsonb_array_elements_text(content->'pictureColumns') as columns(name)
    cross join jsonb_array_elements(p_inputs) as inputs(input)
    -- What JavaScript's trim() removes, with which items are shown.
    cross join lateral btrim(input->>name, E' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
                                           '\u2028\u2029\u202f\u205f\u3000\ufeff') as url
   where batches.id = p_batch and octet_length(url) between 1 and 2500
  on conflict do nothing
$$;

-- Adds those of the URLs in a batch's file that are of pictures which its buyer or somebody else has uploaded here. A picture at an image host is
-- never deleted, so only the names of this site's files are looked for.
create or replace function add_uploaded_pictures(p_batch uuid, p_urls text[]) returns void language sql as $$
  insert into item_pictures (url, batch_id)
  select distinct named.url, p_batch
    from unnest(p_urls) as named(url)
    join images on hash = substring(named.url from '([0-9a-f]{40})-[0-9]+[.]webp$') and named.url in (images.url, images.thumb_url)
  on conflict do nothing
$$;

create or replace function keep_item_pictures() returns trigger language plpgsql as $$
begin
  perform add_item_pictures(batch_id, jsonb_agg(input)) from inserted group by batch_id;
  return null;
end $$;
create or replace trigger batch_items_pictures after insert on batch_items
  referencing new table as inserted for each statement execute function keep_item_pictures();
