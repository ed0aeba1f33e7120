-- outside a transaction
-- Built concurrently: people write meanwhile, however big a table is.
drop index concurrently if exists lesson_purchases_recent;
-- the sales of a lesson since a day
create index concurrently lesson_purchases_recent on lesson_purchases (lesson_id, created_at);
drop index concurrently if exists course_purchases_recent;
-- the same of courses
create index concurrently course_purchases_recent on course_purchases (course_id, created_at);
