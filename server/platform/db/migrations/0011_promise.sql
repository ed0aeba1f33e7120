set local lock_timeout = '5s';

-- Returning what was bought, and videos that can't be played any more.

-- True for what a program bought, which can't be returned.
alter table lesson_purchases add column with_token boolean not null default false;
alter table course_purchases add column with_token boolean not null default false;

-- What buyers opened while they could return it. The server records this, because a program doesn't report what it
-- reads.
create table lesson_openings (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  opened_at timestamptz not null,
  -- true if they downloaded the file as well
  fetched boolean not null,
  primary key (user_id, lesson_id)
);

-- When a lesson's video is checked next, and what the last checks found.
create table video_checks (
  lesson_id bigint primary key references lessons,
  due_at timestamptz not null,
  -- the first of the answers in a row that it can't be played
  failed_at timestamptz,
  -- since when the lesson is marked
  gone_at timestamptz check (gone_at is null or failed_at is not null)
);
-- Finds the videos to check next.
create index video_checks_due on video_checks (due_at);
-- Lists and counts the videos that could not be played.
create index video_checks_failed on video_checks (failed_at) where failed_at is not null;
-- The first checks are spread over a week.
insert into video_checks (lesson_id, due_at)
select id, now() + random() * interval '7 days' from lessons where deleted_at is null;

-- The state of the checker: one row, once it had something to say.
create table video_checker (
  one boolean primary key default true check (one),
  -- answers in a row that said nothing
  failures integer not null,
  -- nothing is asked before
  retry_at timestamptz not null,
  -- when it last found more missing videos than can be true, and how many
  held_at timestamptz,
  held integer not null
);
