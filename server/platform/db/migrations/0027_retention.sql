-- outside a transaction
-- Built concurrently: people write meanwhile, however big a table is.
drop index concurrently if exists lesson_drafts_old;
-- drafts that nobody repeats any more
create index concurrently lesson_drafts_old on lesson_drafts (created_at);
drop index concurrently if exists course_drafts_old;
-- the same of courses
create index concurrently course_drafts_old on course_drafts (created_at);
drop index concurrently if exists former_usernames_free;
-- given-up names that are no longer reserved
create index concurrently former_usernames_free on former_usernames (free_at);
drop index concurrently if exists users_administrators;
-- the few administrators among all people
create index concurrently users_administrators on users (id) where role = 'administrator';
