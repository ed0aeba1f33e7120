set local lock_timeout = '5s';

-- what people are to be told of: written in the statement or transaction in which it happens, and only appended, so
-- that nobody waits for anybody here; within a second or two it is taken, and becomes notices
create table happenings (
  id bigint generated always as identity primary key,
  kind text not null,
  -- who is told; with 'published' the one whose followers are
  person_id uuid not null,
  -- who did it, of several at once all of them; empty: nobody who is named
  actor_ids uuid[] not null default '{}',
  item_kind text,
  item_id bigint,
  item_title text,
  comment_id bigint,
  -- of points the reason in the ledger, of moderation the act
  detail text,
  amount integer not null default 0,
  -- an administrator's words
  note text,
  happened_at timestamptz not null,
  -- not before: a message is told of when it is still unread after five minutes
  due_at timestamptz not null
);
-- those that are due, in their order
create index happenings_due on happenings (due_at, id);

-- what a person is told, grouped by kind, item and day (UTC)
create table notices (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  kind text not null,
  -- of the group: 'lesson 7', 'course 3', 'from ' and a person, 'act ' and a number
  topic text not null,
  day date not null,
  item_kind text check (item_kind in ('lesson', 'course')),
  item_id bigint,
  item_title text,
  comment_id bigint,
  actor_id uuid references users,
  detail text,
  note text,
  count integer not null check (count > 0),
  amount integer not null,
  happened_at timestamptz not null,
  -- when it was last added to
  noticed_at timestamptz not null,
  read_at timestamptz,
  -- in the product; false: only the daily mail has it
  shown boolean not null,
  -- the daily mail that told of it
  digest_mail bigint,
  constraint notices_group unique (user_id, kind, topic, day)
);
-- a person's own, the newest first
create index notices_newest on notices (user_id, noticed_at desc, id desc);
-- how many are unread, and which of them the daily mail is made of
create index notices_unread on notices (user_id) where read_at is null;

-- how a kind reaches a person, where that differs from what is usual
create table notice_choices (
  user_id uuid not null references users,
  kind text not null,
  shown boolean not null,
  mail text not null check (mail in ('none', 'digest', 'once')),
  primary key (user_id, kind)
);

-- the daily mail of a person
create table notice_digests (
  user_id uuid primary key references users,
  zone text not null default 'UTC',
  -- null: there is nothing to tell
  next_at timestamptz,
  last_at timestamptz,
  last_mail bigint
);
-- whose mail is due
create index notice_digests_due on notice_digests (next_at) where next_at is not null;
