set local lock_timeout = '5s';

-- net = sum of entries, may be negative: kbPoints = max(0, net), debt = max(0, -net)
create table point_balances (
  user_id uuid primary key references users,
  net bigint not null default 0
);

-- append-only
create table point_entries (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  amount integer not null,
  reason text not null,
  item_kind text check (item_kind in ('lesson', 'course')),
  item_id bigint,
  -- the title as it was then, for items that are gone
  item_title text,
  -- distinguishes repetitions of the same change, for example buying again after a refund
  occurrence text not null default '',
  -- why a reward was withheld, or an administrator's words
  note text,
  net_after bigint not null,
  created_at timestamptz not null default now(),
  constraint point_entries_once unique nulls not distinct (user_id, reason, item_kind, item_id, occurrence)
);
-- a person's ledger, newest first
create index point_entries_ledger on point_entries (user_id, id desc);

-- lessons that hold a reward, with what makes a second one refusable
create table lesson_rewards (
  lesson_id bigint primary key,
  user_id uuid not null references users,
  amount integer not null check (amount >= 0),
  day date not null,
  video_id text not null,
  -- sorted 32-bit hashes of the article's word 3-grams
  shingles integer[] not null
);
-- the same video of one author
create index lesson_rewards_video on lesson_rewards (user_id, video_id);
-- rewarded lessons of one author today
create index lesson_rewards_day on lesson_rewards (user_id, day);
