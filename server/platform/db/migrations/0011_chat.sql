set local lock_timeout = '5s';

create table messages (
  id bigint generated always as identity primary key,
  sender_id uuid not null references users,
  receiver_id uuid not null references users,
  text text not null check (char_length(text) between 1 and 200),
  -- made by the form, so that a repeated create makes one message
  draft_id uuid,
  created_at timestamptz not null default now(),
  -- handed to the receiver's connections
  delivered_at timestamptz,
  -- the hub call that belongs to it has come
  claimed_at timestamptz,
  constraint messages_draft unique (sender_id, draft_id),
  check (sender_id <> receiver_id)
);
-- a conversation of two, whoever wrote
create index messages_conversation on messages (least(sender_id, receiver_id), greatest(sender_id, receiver_id), id);
-- messages of a person in the last minute
create index messages_sender on messages (sender_id, created_at);
-- the message that a hub call belongs to
create index messages_unclaimed on messages (sender_id, receiver_id, created_at) where claimed_at is null;

-- one row for each side of a conversation
create table conversations (
  user_id uuid not null references users,
  other_id uuid not null references users,
  last_message_id bigint not null references messages,
  -- messages of the other that were not read
  unread integer not null default 0 check (unread >= 0),
  primary key (user_id, other_id)
);
-- a person's contacts, newest first
create index conversations_newest on conversations (user_id, last_message_id desc);
-- how many messages a person has not read
create index conversations_unread on conversations (user_id) include (unread) where unread > 0;

-- user_id takes nothing from blocked_id
create table person_blocks (
  user_id uuid not null references users,
  blocked_id uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);

create table flags (
  id bigint generated always as identity primary key,
  reporter_id uuid not null references users,
  kind text not null check (kind in ('lesson', 'course', 'comment', 'message', 'profile')),
  -- a number, of a profile the user's id
  subject_id text not null check (char_length(subject_id) <= 36),
  text text not null check (char_length(text) between 3 and 500),
  created_at timestamptz not null default now(),
  -- a moderator has dealt with it
  closed_at timestamptz
);
-- open reports, newest first
create index flags_open on flags (id desc) where closed_at is null;
-- reports of one person today
create index flags_reporter on flags (reporter_id, created_at);
