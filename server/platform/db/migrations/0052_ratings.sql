set local lock_timeout = '5s';

-- What people who unlocked an item think of it. Of one person and item at most one stands; those that were taken back
-- or deleted lie here for a month, and are not counted.
create table ratings (
  id bigint generated always as identity primary key,
  -- of one of the two
  lesson_id bigint references lessons,
  course_id bigint references courses,
  user_id uuid not null references users,
  stars smallint not null check (stars between 1 and 5),
  text text check (char_length(text) between 20 and 500),
  created_at timestamptz not null,
  -- when the stars or the text were changed last; null: never
  edited_at timestamptz,
  -- what the author of the item says to it
  answer text check (char_length(answer) between 1 and 500),
  answered_at timestamptz,
  -- the opinion of the text, as of comments; null until the job has judged
  prediction text check (prediction in ('POSITIVE', 'NEUTRAL', 'NEGATIVE', 'TOXIC', 'UNKNOWN')),
  confidence real check (confidence between 0 and 1),
  language text check (language in ('en', 'bg')),
  why text[],
  model text check (char_length(model) <= 200),
  judged_at timestamptz,
  -- gone for everybody; what an administrator deleted, one may bring back
  deleted_at timestamptz,
  -- null: it went with the right to the item
  deleted_by uuid references users,
  check (num_nonnulls(lesson_id, course_id) = 1),
  check ((answer is null) = (answered_at is null))
);

-- one of a person and item
create unique index ratings_lesson_person on ratings (lesson_id, user_id) where deleted_at is null and lesson_id is not null;
create unique index ratings_course_person on ratings (course_id, user_id) where deleted_at is null and course_id is not null;
-- those of an item, newest first, with what they are counted by
create index ratings_of_lesson on ratings (lesson_id, id desc) include (stars) where deleted_at is null and lesson_id is not null;
create index ratings_of_course on ratings (course_id, id desc) include (stars) where deleted_at is null and course_id is not null;
-- a person's own, for the export and for erasing an account
create index ratings_person on ratings (user_id, id);
-- the desk: those with words, newest first; by opinion; those that nobody has judged
create index ratings_worded on ratings (id desc) where deleted_at is null and text is not null;
create index ratings_prediction on ratings (prediction, id desc) where deleted_at is null and text is not null;
create index ratings_unjudged on ratings (id desc) where prediction is null and deleted_at is null and text is not null;
-- what can be brought back, and what is forgotten
create index ratings_deleted on ratings (deleted_at) where deleted_at is not null;

-- The mean of the site that the ranks of a kind's items are reckoned with, in thousandths of a star. A job reckons it
-- anew each day, and keeps it as long as it has hardly moved: another mean is another rank for every rated item.
create table rating_means (
  kind text primary key check (kind in ('lesson', 'course')),
  mean integer not null check (mean between 1000 and 5000),
  -- false: items up to ranked_to have the rank of this mean, the others still that of the one before
  ranked boolean not null default true,
  ranked_to bigint not null default 0,
  reckoned_at timestamptz not null default '-infinity'
);
-- until anybody has rated anything: the middle
insert into rating_means (kind, mean) values ('lesson', 3000), ('course', 3000);

-- What lists are sorted by: the mean of an item's stars and of five ratings more that are as the site's mean, in
-- thousandths, as its distance from that mean. 4000 is the mean itself, the rank of what nobody has rated, whatever the
-- mean is: so a mean that moves is another rank for rated items alone.
create function rank_of_ratings(stars bigint, ratings bigint, mean integer) returns integer
language sql immutable parallel safe as $$
  select 4000 + round((1000 * stars - ratings * mean)::numeric / (ratings + 5))::integer
$$;

alter table lessons add column ratings integer not null default 0;
alter table lessons add column rating_stars integer not null default 0;
alter table lessons add column rating_rank integer not null default 4000;
alter table lessons add constraint lessons_ratings_check check (ratings >= 0) not valid;
alter table lessons add constraint lessons_rating_stars_check check (rating_stars >= 0) not valid;
alter table lessons add constraint lessons_rating_rank_check check (rating_rank >= 0) not valid;
alter table courses add column ratings integer not null default 0;
alter table courses add column rating_stars integer not null default 0;
alter table courses add column rating_rank integer not null default 4000;
alter table courses add constraint courses_ratings_check check (ratings >= 0) not valid;
alter table courses add constraint courses_rating_stars_check check (rating_stars >= 0) not valid;
alter table courses add constraint courses_rating_rank_check check (rating_rank >= 0) not valid;

-- ratings can be reported too
alter table flags drop constraint flags_kind_check;
alter table flags add constraint flags_kind_check
  check (kind in ('lesson', 'course', 'comment', 'message', 'profile', 'rating')) not valid;
