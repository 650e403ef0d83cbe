-- Pictures that people uploaded, named by what is in them. Those that nobody uses are cleaned up after a while.
create table images (
  hash        text primary key,                     -- of the largest size as it is stored
  url         text not null,
  thumb_url   text not null,
  uploader    uuid not null references identities,
  uploaded_at timestamptz not null default clock_time(),
  constraint images_hash check (hash ~ '^[0-9a-f]{40}$')
);
create index images_of_uploader on images (uploader, uploaded_at);
create index images_by_age on images (uploaded_at);
-- Whether a picture is used is asked by its address.
create index users_by_image on users using hash (image) where image <> '';
create index tasks_by_image on tasks using hash (image_url) where image_url <> '';
