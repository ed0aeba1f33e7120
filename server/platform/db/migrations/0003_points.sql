set local lock_timeout = '5s';

-- KB Points. Only the ledger (server/points) changes balances, in the transaction of what earns or costs points.
-- An item is a lesson or a course; the ledger refers to it by kind and id, because its entries outlive items.

-- The sum of a person's entries. It may be negative: then the person has 0 points and a debt.
create table point_balances (
  user_id uuid primary key references users,
  net bigint not null default 0
);

-- The ledger. Entries are only appended.
create table point_entries (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  amount integer not null,
  reason text not null,
  item_kind text check (item_kind in ('lesson', 'course')),
  item_id bigint,
  -- the title at that time, for deleted items
  item_title text,
  -- tells repetitions of the same change apart, for example another purchase after a refund
  occurrence text not null default '',
  -- why a reward was withheld, or the words of an administrator
  note text,
  net_after bigint not null,
  created_at timestamptz not null default now(),
  constraint point_entries_once unique nulls not distinct (user_id, reason, item_kind, item_id, occurrence)
);
-- Lists the ledger of a person, newest first.
create index point_entries_ledger on point_entries (user_id, id desc);

-- The rewards of lessons, with what a repeated lesson is recognised by.
create table lesson_rewards (
  lesson_id bigint primary key,
  user_id uuid not null references users,
  amount integer not null check (amount >= 0),
  day date not null,
  video_id text not null,
  -- sorted 32-bit hashes of the article's word 3-grams
  shingles integer[] not null
);
-- Finds another lesson of the author with the same video.
create index lesson_rewards_video on lesson_rewards (user_id, video_id);
-- Counts the author's rewarded lessons of a day.
create index lesson_rewards_day on lesson_rewards (user_id, day);

create table course_rewards (
  course_id bigint primary key,
  user_id uuid not null references users,
  amount integer not null check (amount >= 0)
);

-- The rewarded lessons that a rewarded course counts. A lesson counts for one course only.
create table course_reward_lessons (
  lesson_id bigint primary key references lesson_rewards on delete cascade,
  course_id bigint not null references course_rewards on delete cascade
);
-- Counts the rewarded lessons of a course.
create index course_reward_lessons_course on course_reward_lessons (course_id);

-- What the present purchases of an item paid to its author. An item without such a purchase has no row.
create table author_shares (
  item_kind text not null check (item_kind in ('lesson', 'course')),
  item_id bigint not null,
  paid integer not null check (paid between 0 and 1000),
  -- what the last purchase added: the statement that adds at most what is left reads the amount here
  last integer not null check (last >= 0),
  primary key (item_kind, item_id)
) with (fillfactor = 70);
