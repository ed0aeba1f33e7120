-- outside a transaction
drop index concurrently if exists lessons_rated;
-- rated ones in their order, which are ranked again when the mean of the site has moved
create index concurrently lessons_rated on lessons (id) where ratings > 0;
drop index concurrently if exists courses_rated;
-- the same of courses
create index concurrently courses_rated on courses (id) where ratings > 0;
