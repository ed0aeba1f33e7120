-- outside a transaction
drop index concurrently if exists pictures_look_at;
-- the sweep of pictures that are due
create index concurrently pictures_look_at on pictures (look_at);
