-- outside a transaction
drop index concurrently if exists lesson_contents_language_of;
-- lessons in a language, as lists and the search are narrowed to it
create index concurrently lesson_contents_language_of on lesson_contents (language, lesson_id);
drop index concurrently if exists course_contents_language_of;
-- the same of courses
create index concurrently course_contents_language_of on course_contents (language, course_id);
