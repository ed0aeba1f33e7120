set local lock_timeout = '5s';

-- Lessons, and what people do with them: view, buy and like them, continue where they stopped, take notes, and
-- answer self-checks.

-- Holds only what lists search, filter and sort by, so that a scan reads few pages. Cards join lesson_contents.
create table lessons (
  id bigint generated always as identity primary key,
  owner_id uuid not null references users,
  title_folded text not null,
  price integer not null default 100 check (price >= 0),
  likes integer not null default 0 check (likes >= 0),
  views integer not null default 0 check (views >= 0),
  comments integer not null default 0 check (comments >= 0),
  ratings integer not null default 0 check (ratings >= 0),
  -- the sum of all stars
  rating_stars integer not null default 0 check (rating_stars >= 0),
  -- the order of lists by rating, from rank_of_ratings
  rating_rank integer not null default 4000 check (rating_rank >= 0),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- deleted, with buyers who still get a refund
  refunds_due boolean not null default false,
  -- deleted with its owner's account, but open to its buyers
  kept_for_buyers boolean not null default false,
  constraint lessons_kept check (not kept_for_buyers or deleted_at is not null)
);
-- Finds deletions that a job continues.
create index lessons_refunds_due on lessons (id) where refunds_due;
-- Finds rated lessons in order, whose ranks change when the mean of all ratings has moved.
create index lessons_rated on lessons (id) where ratings > 0;
-- The next five include all filters of lists, so that the table is not visited.
-- Sorts lists by likes, newest first among equals, and finds ranges of likes.
create index lessons_by_likes on lessons (likes desc, id desc) include (views, comments, title_folded) where deleted_at is null;
-- Sorts lists by views, and finds ranges of views.
create index lessons_by_views on lessons (views desc, id desc) include (likes, comments, title_folded) where deleted_at is null;
-- Sorts lists by comments, and finds ranges of comments.
create index lessons_by_comments on lessons (comments desc, id desc) include (likes, views, title_folded) where deleted_at is null;
-- Sorts lists by rating.
create index lessons_by_rating on lessons (rating_rank desc, id desc) include (likes, views, comments, title_folded) where deleted_at is null;
-- Lists the newest lessons.
create index lessons_newest on lessons (id desc) include (likes, views, comments, title_folded) where deleted_at is null;
-- Lists the lessons of an owner.
create index lessons_owner on lessons (owner_id, id desc) where deleted_at is null;
-- Searches titles by three or more characters.
create index lessons_search on lessons using gin (title_folded gin_trgm_ops) where deleted_at is null;
-- Searches titles by one or two characters.
create index lessons_short_search on lessons using gin (short_grams(title_folded)) where deleted_at is null;
-- Suggests titles that begin with a term.
create index lessons_prefix on lessons (title_folded text_pattern_ops) where deleted_at is null;

create table lesson_contents (
  lesson_id bigint primary key references lessons,
  title text not null check (char_length(title) between 3 and 20),
  description text not null check (char_length(description) between 10 and 60),
  -- as written; lesson_tags has the folded ones
  tags text[] not null check (cardinality(tags) between 1 and 10),
  picture_id bigint references pictures,
  video_id text not null check (char_length(video_id) = 11),
  -- the second at which the video begins
  video_start integer not null default 0,
  -- sanitised HTML
  article text not null check (octet_length(article) <= 40000),
  article_minutes integer not null check (article_minutes > 0),
  -- the first words of the article, which everybody sees; null without any
  opening text constraint lesson_contents_opening check (char_length(opening) between 1 and 300),
  -- the language of title, description and opening; none for texts without words
  language text not null default 'none' constraint lesson_contents_language
    check (language in ('en', 'bg', 'other', 'none')),
  -- empty, a link, or /files/resources/…
  resources text not null default '',
  -- an edit names the version it is based on, and fails if there is a newer one
  version integer not null default 1 check (version > 0),
  edited_at timestamptz
);
-- Narrows lists and search to a language.
create index lesson_contents_language_of on lesson_contents (language, lesson_id);
-- Finds the lesson that shows a picture, before the picture is removed.
create index lesson_contents_picture on lesson_contents (picture_id) where picture_id is not null;

-- The folded tags of lessons that are not deleted. The primary key lists the newest lessons of a tag.
create table lesson_tags (
  tag text not null,
  lesson_id bigint not null references lessons,
  primary key (tag, lesson_id)
);
-- Finds the tags of a lesson, for lessons with the same tags.
create index lesson_tags_lesson on lesson_tags (lesson_id, tag);

-- The form of a lesson makes a draft id. A repeated create with the same one finds the lesson of the first.
create table lesson_drafts (
  owner_id uuid not null references users,
  draft_id uuid not null,
  lesson_id bigint not null references lessons,
  -- the reward in the answer to the first create
  rewarded boolean not null,
  reward_reason text,
  created_at timestamptz not null default now(),
  primary key (owner_id, draft_id)
);
-- Deletes drafts that nobody repeats any more.
create index lesson_drafts_old on lesson_drafts (created_at);

-- One row per viewer, lesson and UTC day. The viewer is the id of a user, or a hash with a daily salt.
create table lesson_views (
  day date not null,
  lesson_id bigint not null,
  viewer text not null,
  primary key (day, lesson_id, viewer)
);

-- The views of all lessons of an owner on a UTC day, for the last eight days.
create table owner_view_days (
  day date not null,
  owner_id uuid not null references users,
  views integer not null check (views > 0),
  primary key (day, owner_id)
);

-- People who have opened a free lesson.
create table free_readers (
  user_id uuid primary key references users
);

create table lesson_purchases (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  price integer not null check (price >= 0),
  -- the part of the price that the author has
  share integer not null default 0 constraint lesson_purchases_share check (share between 0 and price),
  created_at timestamptz not null default now(),
  primary key (user_id, lesson_id)
);
-- Finds the buyers of a lesson, for refunds.
create index lesson_purchases_lesson on lesson_purchases (lesson_id, user_id);
-- Lists the purchases of a person, newest first.
create index lesson_purchases_newest on lesson_purchases (user_id, created_at desc, lesson_id desc);
-- Counts the sales of a lesson since a day.
create index lesson_purchases_recent on lesson_purchases (lesson_id, created_at);

create table lesson_likes (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  created_at timestamptz not null default now(),
  primary key (user_id, lesson_id)
);
-- Lists what a person likes, newest first.
create index lesson_likes_newest on lesson_likes (user_id, created_at desc, lesson_id desc);
-- Finds who likes a lesson, and deletes its likes.
create index lesson_likes_person on lesson_likes (lesson_id, user_id);

-- How far a person is in a lesson. Each part has its own time, and the newest report of each wins, so reports may
-- arrive in any order. The time is -infinity before the first report.
create table lesson_progress (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  -- the place in the video
  seconds integer not null check (seconds >= 0),
  length integer not null check (length >= 0),
  placed_at timestamptz not null,
  furthest integer not null check (furthest >= 0),
  -- the last twentieth of the video was played once
  finished boolean not null,
  -- the article was opened
  opened boolean not null,
  -- whether the person marked it as done; null if they never did
  marked boolean,
  marked_at timestamptz not null,
  -- the last time that the person had the lesson open
  seen_at timestamptz not null,
  primary key (user_id, lesson_id)
);
-- Lists the lessons that a person opened last.
create index lesson_progress_newest on lesson_progress (user_id, seen_at desc, lesson_id desc);

-- Private notes beside a lesson.
create table notes (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  text text not null,
  text_folded text not null,
  -- the place in the video where the note was begun; null if it was not playing
  second integer check (second >= 0),
  -- from the form, so that a repeated create makes one note
  draft_id uuid,
  created_at timestamptz not null,
  edited_at timestamptz,
  unique (user_id, draft_id)
);
-- Lists the notes of a person, newest first.
create index notes_newest on notes (user_id, id desc);
-- Lists and counts the notes of a person for one lesson.
create index notes_of_lesson on notes (user_id, lesson_id);

-- The self-check of a lesson. The row stays when its questions are removed, so that revisions don't repeat.
create table lesson_checks (
  lesson_id bigint primary key references lessons,
  -- grows when a question, an answer or what is right changes
  revision integer not null check (revision > 0),
  questions jsonb not null,
  size smallint not null check (size between 0 and 5),
  -- of this revision: all attempts, those without a mistake, how often each answer was chosen, and how often each
  -- question was answered correctly
  attempts integer not null default 0,
  passes integer not null default 0,
  chosen integer[] not null,
  rightly integer[] not null
);

-- The best and the last attempt of a person at a self-check, with the chosen answers of each question.
create table check_results (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  attempts integer not null,
  best_right smallint not null check (best_right between 0 and best_of),
  best_of smallint not null,
  best_revision integer not null,
  best_answers jsonb not null,
  best_at timestamptz not null,
  last_right smallint not null check (last_right between 0 and last_of),
  last_of smallint not null,
  last_revision integer not null,
  last_answers jsonb not null,
  last_at timestamptz not null,
  -- the first attempt without a mistake; null if there was none
  passed_at timestamptz,
  primary key (user_id, lesson_id)
);
