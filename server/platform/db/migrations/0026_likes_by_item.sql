-- outside a transaction
-- Built concurrently, an index holds SHARE UPDATE EXCLUSIVE: people read, like and erase accounts meanwhile, however
-- big the table is. Only its last instant waits for statements that began before it, and the dropping of an old one
-- waits for those that use it. Of 5,000,000 likes each takes some seconds and 200 MB.
drop index concurrently if exists lesson_likes_person;
-- likes of a lesson by person: whether somebody likes it, who else does, and those that go with it
create index concurrently lesson_likes_person on lesson_likes (lesson_id, user_id);
drop index concurrently if exists course_likes_person;
-- the same of a course
create index concurrently course_likes_person on course_likes (course_id, user_id);
-- what the two above begin with
drop index concurrently if exists lesson_likes_lesson;
drop index concurrently if exists course_likes_course;
