set local lock_timeout = '5s';

-- The figures of the author's desk (server/items/figures). A job counts whole UTC days; a day can be counted again.
-- None of these tables says who viewed, unlocked or liked.

-- Days that were counted.
create table figure_days (
  day date primary key,
  -- the views of this day were there to be counted
  has_views boolean not null
);

-- What happened to an item on a day. Days on which nothing happened have no row.
create table item_days (
  owner_id uuid not null references users,
  day date not null,
  item_kind text not null check (item_kind in ('lesson', 'course')),
  item_id bigint not null,
  views integer not null,
  unlocks integer not null,
  -- the unlocks on days with views, of lessons, whose part of the views is the conversion
  converted integer not null,
  done integer not null,
  likes integer not null,
  comments integer not null,
  ratings integer not null,
  -- the sum of all stars
  stars integer not null,
  -- the author's points
  earned integer not null,
  returned integer not null,
  -- includes what an author's items are sorted by
  primary key (owner_id, day, item_kind, item_id) include (views, unlocks)
);
-- Reads the days of one item.
create index item_days_item on item_days (item_kind, item_id, day);
-- Counts a day again, and deletes days that are too old.
create index item_days_day on item_days (day);

-- The sums of whole months, so that a year of many items is read from few rows.
create table item_months (
  owner_id uuid not null references users,
  -- the first day of the month
  month date not null,
  item_kind text not null check (item_kind in ('lesson', 'course')),
  item_id bigint not null,
  views integer not null,
  unlocks integer not null,
  converted integer not null,
  done integer not null,
  likes integer not null,
  comments integer not null,
  ratings integer not null,
  stars integer not null,
  earned integer not null,
  returned integer not null,
  primary key (owner_id, month, item_kind, item_id) include (views, unlocks)
);
-- Reads the months of one item.
create index item_months_item on item_months (item_kind, item_id, month);
-- Sums a month again.
create index item_months_month on item_months (month);

-- The sums of all items of an author.
create table author_days (
  owner_id uuid not null references users,
  day date not null,
  views integer not null,
  unlocks integer not null,
  converted integer not null,
  done integer not null,
  likes integer not null,
  comments integer not null,
  ratings integer not null,
  stars integer not null,
  earned integer not null,
  returned integer not null,
  primary key (owner_id, day)
);
-- Counts a day again.
create index author_days_day on author_days (day);

-- How far people watch a video, of lessons that at least five people have watched.
create table lesson_curves (
  lesson_id bigint primary key references lessons,
  owner_id uuid not null references users,
  viewers integer not null check (viewers >= 5),
  -- the median length of the video in seconds
  length integer not null,
  -- how many reached each tenth of the video; the last one is its end
  reached integer[] not null
);
-- Lists the curves of an author.
create index lesson_curves_owner on lesson_curves (owner_id);

-- Searches without a result, until their day is counted. The searcher is a hash whose salt changes with the day and
-- the term, so that two searches of one person can't be joined.
create table search_misses (
  day date not null,
  term text not null,
  searcher text not null,
  primary key (day, term, searcher)
);

-- Terms that at least five people searched on a day without a result.
create table missed_terms (
  day date not null,
  term text not null,
  people integer not null check (people >= 5),
  primary key (day, term)
);

-- When the lesson became done for the first time. Null on rows that were done before this column existed.
alter table lesson_progress add done_at timestamptz;
