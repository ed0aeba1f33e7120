set local lock_timeout = '5s';

-- narrow, as lessons: what lists search, filter and sort by
create table courses (
  id bigint generated always as identity primary key,
  owner_id uuid not null references users,
  -- NFKD, marks off, lower case
  title_folded text not null,
  likes integer not null default 0 check (likes >= 0),
  -- the sum over its lessons
  comments integer not null default 0 check (comments >= 0),
  price integer not null default 500 check (price >= 0),
  -- how many lessons it holds; stands here so that who locks the course, a sale or a removal, reads the present number
  lesson_count integer not null default 0 check (lesson_count >= 0),
  deleted_at timestamptz,
  -- gone, with buyers that are still to be refunded
  refunds_due boolean not null default false,
  created_at timestamptz not null default now()
);
-- removals that a job finishes
create index courses_refunds_due on courses (id) where refunds_due;
-- lists sorted by likes, and the highest; bands of likes
create index courses_by_likes on courses (likes desc, id desc) include (comments, title_folded) where deleted_at is null;
-- lists sorted by comments; bands of comments
create index courses_by_comments on courses (comments desc, id desc) include (likes, title_folded) where deleted_at is null;
-- the newest, and lists without a sort
create index courses_newest on courses (id desc) include (likes, comments, title_folded) where deleted_at is null;
-- own courses, and lists by owner
create index courses_owner on courses (owner_id, id desc) where deleted_at is null;
-- search by three characters and more
create index courses_search on courses using gin (title_folded gin_trgm_ops) where deleted_at is null;
-- search by one or two characters
create index courses_short_search on courses using gin (short_grams(title_folded)) where deleted_at is null;
-- suggestions: titles that begin with what is typed
create index courses_prefix on courses (title_folded text_pattern_ops) where deleted_at is null;

create table course_contents (
  course_id bigint primary key references courses,
  title text not null check (char_length(title) between 3 and 20),
  description text not null check (char_length(description) between 10 and 60),
  picture_id bigint references pictures,
  -- one of its lessons, open to everybody
  free_preview bigint references lessons,
  version integer not null default 1 check (version > 0),
  edited_at timestamptz
);
-- whether a lesson is open to everybody
create index course_contents_free_preview on course_contents (free_preview) where free_preview is not null;

-- the lessons of a course, in the order of their positions
create table course_lessons (
  course_id bigint not null references courses,
  lesson_id bigint not null references lessons,
  position integer not null check (position > 0),
  primary key (course_id, lesson_id),
  constraint course_lessons_position unique (course_id, position) deferrable initially deferred
);
-- the courses of a lesson
create index course_lessons_lesson on course_lessons (lesson_id, course_id);

create table course_purchases (
  -- the order of the sales of a course
  id bigint generated always as identity unique,
  user_id uuid not null references users,
  course_id bigint not null references courses,
  price integer not null check (price >= 0),
  -- how many lessons it had when it was sold: each is worth an equal share of the price
  lessons integer not null check (lessons > 0),
  -- what was paid back for lessons that were deleted since
  refunded integer not null default 0 check (refunded between 0 and price),
  created_at timestamptz not null default now(),
  primary key (user_id, course_id)
);
-- the buyers of a course, for refunds
create index course_purchases_course on course_purchases (course_id, user_id);
-- a person's purchases, newest first
create index course_purchases_newest on course_purchases (user_id, created_at desc, course_id desc);

-- lessons that an edit took out of a sold course: they stay open to those who bought it up to then.
-- A lesson that comes back leaves here: it stands in course_lessons or here, never in both
create table course_kept_lessons (
  course_id bigint not null references courses,
  lesson_id bigint not null references lessons,
  -- id of the last purchase that holds it
  last_purchase bigint not null,
  primary key (course_id, lesson_id)
);
-- whether a lesson is kept for a buyer
create index course_kept_lessons_lesson on course_kept_lessons (lesson_id, course_id);

-- drafts that became courses, by author
create table course_drafts (
  owner_id uuid not null references users,
  draft_id uuid not null,
  course_id bigint not null references courses,
  -- the reward as it was answered then
  rewarded boolean not null,
  reward_reason text,
  created_at timestamptz not null default now(),
  primary key (owner_id, draft_id)
);

-- courses that hold a reward
create table course_rewards (
  course_id bigint primary key,
  user_id uuid not null references users,
  amount integer not null check (amount >= 0)
);
-- the rewarded lessons that a rewarded course counts; a lesson counts towards one course only
create table course_reward_lessons (
  lesson_id bigint primary key references lesson_rewards on delete cascade,
  course_id bigint not null references course_rewards on delete cascade
);
-- the lessons that a course counts
create index course_reward_lessons_course on course_reward_lessons (course_id);
