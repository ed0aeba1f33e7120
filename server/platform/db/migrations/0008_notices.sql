set local lock_timeout = '5s';

-- How people and programs learn of what happened: follows, notices, mails and webhooks.

create table follows (
  -- followers of an author get their notices in this order, page by page
  id bigint generated always as identity primary key,
  follower_id uuid not null references users,
  author_id uuid not null references users,
  created_at timestamptz not null,
  unique (follower_id, author_id),
  check (follower_id <> author_id)
);
-- Walks the followers of an author, page by page.
create index follows_of_author on follows (author_id, id) include (follower_id);
-- Lists whom a person follows, newest first.
create index follows_newest on follows (follower_id, id desc);

-- The number of followers, so that a profile doesn't count them. An author who never had one has no row.
create table follow_counts (
  author_id uuid primary key references users,
  followers integer not null check (followers >= 0)
);

-- Grouped by kind, topic and UTC day.
create table notices (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  kind text not null,
  -- 'lesson 7', 'course 3', 'from ' and a person, or 'act ' and a number
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
  -- the last addition to the group
  noticed_at timestamptz not null,
  read_at timestamptz,
  -- false if the person wants it in the daily mail only
  shown boolean not null,
  -- the daily mail that contained it
  digest_mail bigint,
  constraint notices_group unique (user_id, kind, topic, day)
);
-- Lists the notices of a person, newest first.
create index notices_newest on notices (user_id, noticed_at desc, id desc);
-- Counts unread notices, and finds those for the daily mail.
create index notices_unread on notices (user_id) where read_at is null;

-- How a person wants notices of a kind, where it differs from the default.
create table notice_choices (
  user_id uuid not null references users,
  kind text not null,
  shown boolean not null,
  mail text not null check (mail in ('none', 'digest', 'once')),
  primary key (user_id, kind)
);

-- The daily mail of a person.
create table notice_digests (
  user_id uuid primary key references users,
  zone text not null default 'UTC',
  -- true if the person chose the zone; otherwise it follows the browser
  zone_chosen boolean not null default false,
  -- null if there is nothing to send
  next_at timestamptz,
  last_at timestamptz,
  last_mail bigint
);
-- Finds people whose daily mail is due.
create index notice_digests_due on notice_digests (next_at) where next_at is not null;

-- The outbox: mails to send, and those that were sent. They are inserted in the transaction of their cause.
create table mails (
  id bigint generated always as identity primary key,
  -- without angle brackets; the same in every attempt, so that clients recognise a duplicate
  message_id text not null unique,
  kind text not null check (kind in ('letter', 'report', 'notice')),
  -- held: until the recipient confirms the address; kept: to an .example address, never sent; dropped: given up
  state text not null default 'waiting'
    check (state in ('held', 'waiting', 'kept', 'sent', 'failed', 'dropped')),
  -- null for guests and for mails of the product; a letter of a blocked, suspended or erased sender is dropped
  sender_id uuid references users,
  -- the recipient; null for the operator
  user_id uuid references users,
  address text not null check (char_length(address) <= 254),
  reply_to text check (char_length(reply_to) <= 254),
  -- one line; for a notice, the packed message
  subject text not null check (char_length(subject) <= 1000),
  -- the words of a person; emptied once sent or dropped
  text text check (char_length(text) <= 20000),
  -- the words of the product, as messages of the catalogue
  notice jsonb,
  locale text not null default 'en' check (locale in ('en', 'bg')),
  -- the link's token, whose secret is derived when the mail is sent and never stored
  token_id uuid,
  created_at timestamptz not null default now(),
  send_after timestamptz not null default now(),
  attempts integer not null default 0,
  last_error text check (char_length(last_error) <= 300),
  -- the first attempt since the last manual retry; the mail fails after three days of attempts
  trying_since timestamptz,
  -- a worker sends it until then, by the clock of the database, which all workers share
  claimed_until timestamptz,
  sent_at timestamptz
);
-- Finds mails that are due.
create index mails_waiting on mails (send_after) where state = 'waiting';
-- Finds mails that wait until a person confirms the address.
create index mails_held on mails (user_id) where state = 'held';
-- Counts the letters to a person from today on.
create index mails_letters on mails (user_id, send_after) where kind = 'letter';
-- Lists the outbox by state, newest first.
create index mails_state on mails (state, id desc);
-- The next three find the mails to a person, from a person, and by the person's address, when the account is erased.
create index mails_user on mails (user_id) where user_id is not null;
create index mails_sender on mails (sender_id) where sender_id is not null;
create index mails_reply_to on mails (lower(reply_to)) where reply_to is not null;

-- Attempts to send a letter, by person or address, for the hourly limit.
create table letter_attempts (
  subject text not null,
  -- hash of an accepted letter, which recognises a repetition; null for a refused one
  digest text,
  at timestamptz not null default now()
);
-- Counts the attempts of a subject in the last hour.
create index letter_attempts_subject on letter_attempts (subject, at);

-- Addresses of other programs that receive events.
create table webhook_endpoints (
  id bigint generated always as identity primary key,
  url text not null check (char_length(url) <= 2000),
  -- from the URL; requests to one host are sent one after the other
  host text not null check (char_length(host) <= 255),
  description text not null check (char_length(description) <= 200),
  -- the types of events that it receives
  events text[] not null,
  -- the signing secret, encrypted with a key of AUTH_SECRETS
  sealed_secret bytea not null,
  -- the secret before it, which also signs until then
  previous_sealed_secret bytea,
  previous_until timestamptz,
  enabled boolean not null,
  -- the first failure since the last success; null if the last delivery succeeded
  failing_since timestamptz,
  -- when the product disabled it
  given_up_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null
);

-- Events as they are sent, if an endpoint wants them.
create table webhook_events (
  id uuid primary key,
  type text not null check (char_length(type) <= 40),
  data jsonb not null,
  -- the people whom the data name
  people uuid[] not null,
  happened_at timestamptz not null
);
-- Deletes events after a month.
create index webhook_events_happened on webhook_events (happened_at);
-- Finds the events that name a person, when the account is erased.
create index webhook_events_people on webhook_events using gin (people);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  event_id uuid not null references webhook_events on delete cascade,
  endpoint_id bigint not null references webhook_endpoints on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- The last attempt: its time, the status and text of the response, the duration, and the reason of a failure.
  attempted_at timestamptz,
  status integer,
  took_ms integer,
  answer text check (char_length(answer) <= 500),
  error text check (char_length(error) <= 300)
);
-- Lists the deliveries to an endpoint, newest first.
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id desc);
-- Finds the deliveries of an event.
create index webhook_deliveries_event on webhook_deliveries (event_id);
