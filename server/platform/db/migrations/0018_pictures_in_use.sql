-- outside a transaction
-- The next four: whether a picture of somebody is still in use, before it is removed.
drop index concurrently if exists pictures_owner;
-- pictures of a person
create index concurrently pictures_owner on pictures (owner_id) where owner_id is not null;
drop index concurrently if exists users_picture;
-- whose face it is
create index concurrently users_picture on users (picture_id) where picture_id is not null;
drop index concurrently if exists lesson_contents_picture;
-- which lesson shows it
create index concurrently lesson_contents_picture on lesson_contents (picture_id) where picture_id is not null;
drop index concurrently if exists course_contents_picture;
-- which course shows it
create index concurrently course_contents_picture on course_contents (picture_id) where picture_id is not null;
