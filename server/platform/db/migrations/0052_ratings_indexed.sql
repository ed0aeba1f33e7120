-- outside a transaction
-- Reads the tables without keeping writers out.
alter table lessons validate constraint lessons_ratings_check;
alter table lessons validate constraint lessons_rating_stars_check;
alter table lessons validate constraint lessons_rating_rank_check;
alter table courses validate constraint courses_ratings_check;
alter table courses validate constraint courses_rating_stars_check;
alter table courses validate constraint courses_rating_rank_check;
alter table flags validate constraint flags_kind_check;
drop index concurrently if exists lessons_by_rating;
-- lists sorted by rating, newest first among equals
create index concurrently lessons_by_rating on lessons (rating_rank desc, id desc) include (likes, views, comments, title_folded) where deleted_at is null;
drop index concurrently if exists courses_by_rating;
-- the same of courses
create index concurrently courses_by_rating on courses (rating_rank desc, id desc) include (likes, comments, title_folded) where deleted_at is null;
