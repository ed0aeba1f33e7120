set local lock_timeout = '5s';

-- Courses, which sell several lessons together, and the certificates for completing them.

-- Holds only what lists search, filter and sort by, like lessons.
create table courses (
  id bigint generated always as identity primary key,
  owner_id uuid not null references users,
  title_folded text not null,
  price integer not null default 500 check (price >= 0),
  -- stored here because a sale or a deletion that locks the course must read the current number
  lesson_count integer not null default 0 check (lesson_count >= 0),
  likes integer not null default 0 check (likes >= 0),
  -- the sum over its lessons
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
  constraint courses_kept check (not kept_for_buyers or deleted_at is not null)
);
-- Finds deletions that a job continues.
create index courses_refunds_due on courses (id) where refunds_due;
-- Finds rated courses in order, whose ranks change when the mean of all ratings has moved.
create index courses_rated on courses (id) where ratings > 0;
-- The next four include all filters of lists, so that the table is not visited.
-- Sorts lists by likes, newest first among equals, and finds ranges of likes.
create index courses_by_likes on courses (likes desc, id desc) include (comments, title_folded) where deleted_at is null;
-- Sorts lists by comments, and finds ranges of comments.
create index courses_by_comments on courses (comments desc, id desc) include (likes, title_folded) where deleted_at is null;
-- Sorts lists by rating.
create index courses_by_rating on courses (rating_rank desc, id desc) include (likes, comments, title_folded) where deleted_at is null;
-- Lists the newest courses.
create index courses_newest on courses (id desc) include (likes, comments, title_folded) where deleted_at is null;
-- Lists the courses of an owner.
create index courses_owner on courses (owner_id, id desc) where deleted_at is null;
-- Searches titles by three or more characters.
create index courses_search on courses using gin (title_folded gin_trgm_ops) where deleted_at is null;
-- Searches titles by one or two characters.
create index courses_short_search on courses using gin (short_grams(title_folded)) where deleted_at is null;
-- Suggests titles that begin with a term.
create index courses_prefix on courses (title_folded text_pattern_ops) where deleted_at is null;

create table course_contents (
  course_id bigint primary key references courses,
  title text not null check (char_length(title) between 3 and 20),
  description text not null check (char_length(description) between 10 and 60),
  picture_id bigint references pictures,
  -- one of its lessons, open to everybody
  free_preview bigint references lessons,
  -- the language of title and description; none for texts without words
  language text not null default 'none' constraint course_contents_language
    check (language in ('en', 'bg', 'other', 'none')),
  -- an edit names the version it is based on, and fails if there is a newer one
  version integer not null default 1 check (version > 0),
  edited_at timestamptz
);
-- Tells whether a lesson is open to everybody.
create index course_contents_free_preview on course_contents (free_preview) where free_preview is not null;
-- Narrows lists and search to a language.
create index course_contents_language_of on course_contents (language, course_id);
-- Finds the course that shows a picture, before the picture is removed.
create index course_contents_picture on course_contents (picture_id) where picture_id is not null;

-- The lessons of a course, in the order of their positions.
create table course_lessons (
  course_id bigint not null references courses,
  lesson_id bigint not null references lessons,
  position integer not null check (position > 0),
  primary key (course_id, lesson_id),
  -- deferred, because a new order passes through equal positions
  constraint course_lessons_position unique (course_id, position) deferrable initially deferred
);
-- Finds the courses of a lesson.
create index course_lessons_lesson on course_lessons (lesson_id, course_id);

-- The form of a course makes a draft id. A repeated create with the same one finds the course of the first.
create table course_drafts (
  owner_id uuid not null references users,
  draft_id uuid not null,
  course_id bigint not null references courses,
  -- the reward in the answer to the first create
  rewarded boolean not null,
  reward_reason text,
  created_at timestamptz not null default now(),
  primary key (owner_id, draft_id)
);
-- Deletes drafts that nobody repeats any more.
create index course_drafts_old on course_drafts (created_at);

create table course_purchases (
  -- the order of the sales of a course
  id bigint generated always as identity unique,
  user_id uuid not null references users,
  course_id bigint not null references courses,
  price integer not null check (price >= 0),
  -- the part of the price that the author has
  share integer not null default 0 constraint course_purchases_share check (share between 0 and price),
  -- the number of lessons at the sale; each one is worth an equal part of the price
  lessons integer not null check (lessons > 0),
  -- the sum of refunds for lessons that were deleted since
  refunded integer not null default 0 check (refunded between 0 and price),
  created_at timestamptz not null default now(),
  primary key (user_id, course_id)
);
-- Finds the buyers of a course, for refunds.
create index course_purchases_course on course_purchases (course_id, user_id);
-- Lists the purchases of a person, newest first.
create index course_purchases_newest on course_purchases (user_id, created_at desc, course_id desc);
-- Counts the sales of a course since a day.
create index course_purchases_recent on course_purchases (course_id, created_at);
-- Walks the buyers of a course in the order of the sales, to refund their parts of a deleted lesson.
create index course_purchases_sales on course_purchases (course_id, id);

-- Lessons that an edit removed from a sold course. They stay open to those who bought the course before. A lesson is
-- in course_lessons or here, never in both.
create table course_kept_lessons (
  course_id bigint not null references courses,
  lesson_id bigint not null references lessons,
  -- id of the last purchase that includes the lesson
  last_purchase bigint not null,
  primary key (course_id, lesson_id)
);
-- Tells whether a lesson is open to a buyer of one of its former courses.
create index course_kept_lessons_lesson on course_kept_lessons (lesson_id, course_id);

-- Deleted lessons whose part of a sold course is still to be refunded. A job refunds the purchases after paid_up_to,
-- up to last_purchase, in the order of their ids.
create table course_shares_due (
  lesson_id bigint not null references lessons,
  course_id bigint not null references courses,
  -- for the ledgers of the buyers, because the contents of the lesson may be gone by then
  lesson_title text not null,
  last_purchase bigint not null,
  paid_up_to bigint not null default 0,
  primary key (lesson_id, course_id)
);

create table course_likes (
  user_id uuid not null references users,
  course_id bigint not null references courses,
  created_at timestamptz not null default now(),
  primary key (user_id, course_id)
);
-- Lists what a person likes, newest first.
create index course_likes_newest on course_likes (user_id, created_at desc, course_id desc);
-- Finds who likes a course, and deletes its likes.
create index course_likes_person on course_likes (course_id, user_id);

-- Who completed which course. A certificate has copies of all texts, because it stays when the course changes.
create table certificates (
  -- also the position in the credential's status list
  id bigint generated always as identity primary key,
  -- 128 random bits, part of its URL
  code text not null unique,
  -- null if the account was erased
  user_id uuid references users,
  course_id bigint not null references courses,
  -- null if the account of the course's author was erased
  author_id uuid references users,
  -- the name that the person entered; empty once withdrawn
  name text not null,
  course_title text not null,
  course_description text not null,
  -- titles, in their order
  lessons text[] not null,
  author_name text not null,
  -- search engines may index it
  listed boolean not null default false,
  issued_at timestamptz not null,
  -- by its owner
  withdrawn_at timestamptz,
  -- by an administrator
  revoked_at timestamptz,
  check (withdrawn_at is null or (name = '' and not listed)),
  check (user_id is not null or withdrawn_at is not null)
);
-- Allows one certificate per person and course; a withdrawn one may be replaced, a revoked one may not.
create unique index certificates_once on certificates (user_id, course_id) where withdrawn_at is null;
-- Lists the certificates of a person, newest first, and counts those of a course.
create index certificates_newest on certificates (user_id, id desc);
-- Finds the certificates of an author whose account is erased.
create index certificates_author on certificates (author_id) where author_id is not null;
-- Makes the status list of invalid certificates.
create index certificates_ended on certificates (id) where withdrawn_at is not null or revoked_at is not null;

-- The keys that sign certificates. The public half of a replaced key stays, to verify what it signed.
create table certificate_keys (
  id bigint generated always as identity primary key,
  kid text not null unique,
  -- Ed25519, base64url
  public_half text not null,
  -- the private half, encrypted with AUTH_SECRETS; null once replaced
  sealed bytea,
  created_at timestamptz not null,
  replaced_at timestamptz,
  check ((sealed is null) = (replaced_at is not null))
);
-- Allows one signing key at a time.
create unique index certificate_keys_signing on certificate_keys ((true)) where replaced_at is null;
