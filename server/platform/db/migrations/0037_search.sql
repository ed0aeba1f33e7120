set local lock_timeout = '5s';

-- every word that an item was ever found by, folded: where typos are looked up and beginnings are completed
create table search_words (
  word text primary key check (char_length(word) between 1 and 40)
);
-- words that resemble another
create index search_words_similar on search_words using gin (word gin_trgm_ops);
-- words that begin so
create index search_words_prefix on search_words (word text_pattern_ops);

-- the words of a lesson's title, tags, description and the like, each once
create table lesson_words (
  lesson_id bigint primary key references lessons,
  words text[] not null
);
create index lesson_words_search on lesson_words using gin (words);
-- the same of courses
create table course_words (
  course_id bigint primary key references courses,
  words text[] not null
);
create index course_words_search on course_words using gin (words);

-- items whose words are to be read again, by a job
create table search_due (
  kind text not null check (kind in ('lesson', 'course')),
  item_id bigint not null,
  primary key (kind, item_id)
);
insert into search_due (kind, item_id) select 'lesson', id from lessons where deleted_at is null;
insert into search_due (kind, item_id) select 'course', id from courses where deleted_at is null;
