-- Pictures of appeals are uploaded ones, and are kept while their appeal is. Both are asked for by URL.
create index images_by_url on images using hash (url);
create index appeals_by_picture on appeals using gin (pictures);
