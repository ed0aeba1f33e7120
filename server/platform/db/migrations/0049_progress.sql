set local lock_timeout = '5s';

-- how far somebody is in a lesson. Each field has a time of its own by which the newest wins, so that reports may come
-- in any order; '-infinity': nothing was said of it yet
create table lesson_progress (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  seconds integer not null check (seconds >= 0),
  length integer not null check (length >= 0),
  placed_at timestamptz not null,
  furthest integer not null check (furthest >= 0),
  -- the last twentieth of the video was seen once
  finished boolean not null,
  opened boolean not null,
  -- done or not, as its person said
  marked boolean,
  marked_at timestamptz not null,
  -- when its person was last at it
  seen_at timestamptz not null,
  primary key (user_id, lesson_id)
);

create index lesson_progress_newest on lesson_progress (user_id, seen_at desc, lesson_id desc);
