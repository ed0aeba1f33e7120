set local lock_timeout = '5s';

-- grams of one and two characters, for searches shorter than a trigram
create function short_grams(folded text) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select substr(folded, place, size)
    from generate_series(1, char_length(folded)) place, generate_series(1, 2) size
    where place + size - 1 <= char_length(folded)
  )
$$;

-- narrow: what lists search, filter and sort by. All that a card shows besides stands in lesson_contents
create table lessons (
  id bigint generated always as identity primary key,
  owner_id uuid not null references users,
  -- NFKD, marks off, lower case
  title_folded text not null,
  likes integer not null default 0 check (likes >= 0),
  views integer not null default 0 check (views >= 0),
  comments integer not null default 0 check (comments >= 0),
  price integer not null default 100 check (price >= 0),
  deleted_at timestamptz,
  -- gone, with buyers that are still to be refunded
  refunds_due boolean not null default false,
  created_at timestamptz not null default now()
);
-- removals that a job finishes
create index lessons_refunds_due on lessons (id) where refunds_due;
-- The next four carry all that a list filters by, so that it is walked without visiting the table.
-- lists sorted by likes, newest first among equals; bands of likes
create index lessons_by_likes on lessons (likes desc, id desc) include (views, comments, title_folded) where deleted_at is null;
-- lists sorted by views, and the popular ones; bands of views
create index lessons_by_views on lessons (views desc, id desc) include (likes, comments, title_folded) where deleted_at is null;
-- lists sorted by comments; bands of comments
create index lessons_by_comments on lessons (comments desc, id desc) include (likes, views, title_folded) where deleted_at is null;
-- the newest, and lists without a sort
create index lessons_newest on lessons (id desc) include (likes, views, comments, title_folded) where deleted_at is null;
-- own lessons, and lists by owner
create index lessons_owner on lessons (owner_id, id desc) where deleted_at is null;
-- search by three characters and more
create index lessons_search on lessons using gin (title_folded gin_trgm_ops) where deleted_at is null;
-- search by one or two characters
create index lessons_short_search on lessons using gin (short_grams(title_folded)) where deleted_at is null;

create table lesson_contents (
  lesson_id bigint primary key references lessons,
  title text not null check (char_length(title) between 3 and 20),
  description text not null check (char_length(description) between 10 and 60),
  tags text[] not null check (cardinality(tags) between 1 and 10),
  picture_id bigint references pictures,
  video_id text not null check (char_length(video_id) = 11),
  -- cleaned HTML
  article text not null check (octet_length(article) <= 40000),
  article_minutes integer not null check (article_minutes > 0),
  -- empty, a link, or /files/resources/…
  resources text not null default '',
  version integer not null default 1 check (version > 0),
  edited_at timestamptz
);

-- drafts that became lessons, by author
create table lesson_drafts (
  owner_id uuid not null references users,
  draft_id uuid not null,
  lesson_id bigint not null references lessons,
  -- the reward as it was answered then
  rewarded boolean not null,
  reward_reason text,
  created_at timestamptz not null default now(),
  primary key (owner_id, draft_id)
);

-- who viewed what on which UTC day; the viewer is a user's id or a daily-salted hash
create table lesson_views (
  day date not null,
  lesson_id bigint not null,
  viewer text not null,
  primary key (day, lesson_id, viewer)
);

create table lesson_purchases (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  price integer not null check (price >= 0),
  created_at timestamptz not null default now(),
  primary key (user_id, lesson_id)
);
-- the buyers of a lesson, for refunds
create index lesson_purchases_lesson on lesson_purchases (lesson_id, user_id);
-- a person's purchases, newest first
create index lesson_purchases_newest on lesson_purchases (user_id, created_at desc, lesson_id desc);
