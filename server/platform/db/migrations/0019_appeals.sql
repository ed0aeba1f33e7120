set local lock_timeout = '5s';

-- Appeals against acts of administrators, and against rewards that were withheld or taken back automatically.

create table appeals (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  act_id bigint references moderation_log,
  -- the lesson without its reward, where no administrator acted
  lesson_id bigint references lessons,
  text text not null check (char_length(text) between 1 and 1000),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users,
  granted boolean,
  answer text check (char_length(answer) <= 1000),
  check (num_nonnulls(act_id, lesson_id) = 1),
  check (num_nonnulls(decided_at, decided_by, granted) in (0, 3))
);
-- An act can be appealed once.
create unique index appeals_act on appeals (act_id) where act_id is not null;
-- So can a reward.
create unique index appeals_lesson on appeals (lesson_id) where lesson_id is not null;
-- Lists open appeals, oldest first.
create index appeals_open on appeals (id) where decided_at is null;
-- Lists decided appeals, newest first.
create index appeals_decided on appeals (decided_at desc, id desc) where decided_at is not null;
-- Finds the appeals of a person, for exports and erasure.
create index appeals_user on appeals (user_id, id);

-- Items that administrators deleted, whose contents, covers and files are stored until no appeal can restore them.
create table restorable_items (
  item_kind text not null check (item_kind in ('lesson', 'course')),
  item_id bigint not null,
  owner_id uuid not null references users,
  -- of a course, in order
  lesson_ids bigint[] not null,
  deleted_at timestamptz not null,
  primary key (item_kind, item_id)
);
-- Finds those that no appeal can restore any more.
create index restorable_items_deleted on restorable_items (deleted_at);
-- Finds those of an erased person.
create index restorable_items_owner on restorable_items (owner_id);

-- The act that a notice is about, so that it can link to the appeal.
alter table notices add column act_id bigint;
