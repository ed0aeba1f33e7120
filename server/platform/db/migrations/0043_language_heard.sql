-- outside a transaction
-- Reads the tables without keeping writers out.
alter table lesson_contents validate constraint lesson_contents_language;
alter table course_contents validate constraint course_contents_language;
drop index concurrently if exists lesson_contents_unheard;
-- items from before, whose language a job finds out little by little
create index concurrently lesson_contents_unheard on lesson_contents (lesson_id) where language is null;
drop index concurrently if exists course_contents_unheard;
-- the same of courses
create index concurrently course_contents_unheard on course_contents (course_id) where language is null;
