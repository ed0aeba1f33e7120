set local lock_timeout = '5s';

-- Copies earn nothing: the articles of all lessons, current and of the last 90 days, and reports of copies.

-- Each version of an article. Edited and deleted ones are kept for 90 days.
create table lesson_fingerprints (
  id bigint generated always as identity primary key,
  lesson_id bigint not null,
  author_id uuid not null references users,
  video_id text not null,
  -- sorted 32-bit hashes of the article's word 3-grams
  shingles integer[] not null,
  -- hashes of rows of minimum hashes: articles that share one may resemble each other
  bands integer[] not null,
  -- the older lesson for which its reward was withheld
  older_id bigint,
  -- the older lesson with almost the same article
  original_id bigint,
  published_at timestamptz not null,
  -- when an edit or a deletion ended it; null for the present article of a lesson
  gone_at timestamptz
);
-- Finds articles that may resemble a new one. Without the list of pending entries, which each search would read.
create index lesson_fingerprints_bands on lesson_fingerprints using gin (bands) with (fastupdate = off);
-- Finds the versions of a lesson.
create index lesson_fingerprints_lesson on lesson_fingerprints (lesson_id);
-- Finds the authors who use a video.
create index lesson_fingerprints_video on lesson_fingerprints (video_id) where gone_at is null;
-- Finds what an author published in the last day.
create index lesson_fingerprints_author on lesson_fingerprints (author_id, published_at);
-- Deletes versions that ended long ago.
create index lesson_fingerprints_gone on lesson_fingerprints (gone_at) where gone_at is not null;

-- Lessons from before this version whose articles a job still reads.
create table lesson_fingerprints_due (
  lesson_id bigint primary key
);
insert into lesson_fingerprints_due select lesson_id from lesson_contents;

-- lesson_fingerprints has them. The version before this one still reads the column.
alter table lesson_rewards alter column shingles set default '{}';

-- A report of a copy names the reporter's own lesson, and moderators decide it: copy, fine or removed.
alter table flags add column original_id bigint;
alter table flags add column outcome text;
