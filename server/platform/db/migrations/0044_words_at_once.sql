set local lock_timeout = '5s';

-- Words that were written stand in the index at once. Otherwise up to 4 MB of them wait in a list, which each search
-- reads from end to end; they are written by a job, which nobody waits for.
alter index lesson_words_search set (fastupdate = off);
alter index course_words_search set (fastupdate = off);
alter index search_words_similar set (fastupdate = off);
-- what waits there now
select gin_clean_pending_list('lesson_words_search');
select gin_clean_pending_list('course_words_search');
select gin_clean_pending_list('search_words_similar');
