set local lock_timeout = '5s';

-- mails to be sent, and those that were; written in the transaction of what causes them
create table mails (
  id bigint generated always as identity primary key,
  -- without its brackets; the same at every attempt, so that a mail which comes twice is seen to be one
  message_id text not null unique,
  kind text not null check (kind in ('letter', 'report', 'notice')),
  -- held: until its recipient has confirmed the address; kept: an .example address, never mailed; dropped: given up
  state text not null default 'waiting'
    check (state in ('held', 'waiting', 'kept', 'sent', 'failed', 'dropped')),
  -- the recipient when it is one of ours; the product owner otherwise
  user_id uuid references users,
  address text not null check (char_length(address) <= 254),
  reply_to text check (char_length(reply_to) <= 254),
  -- one line; of a notice, the packed message
  subject text not null check (char_length(subject) <= 1000),
  -- what a person wrote; emptied when it was sent or dropped
  text text check (char_length(text) <= 20000),
  -- what we write, as messages of the catalogue, composed when it is sent
  notice jsonb,
  locale text not null default 'en' check (locale in ('en', 'bg')),
  -- the secret of the link in it is made when it is sent, so that none is kept
  token_id uuid,
  created_at timestamptz not null default now(),
  send_after timestamptz not null default now(),
  attempts integer not null default 0,
  last_error text check (char_length(last_error) <= 300),
  -- of the attempts since the last retry by hand; after three days of them it has failed
  trying_since timestamptz,
  -- a worker is sending it, until then; of the database's clock, which all workers share
  claimed_until timestamptz,
  sent_at timestamptz
);
-- what is to be sent
create index mails_waiting on mails (send_after) where state = 'waiting';
-- mails of a person that wait for the confirmation of the address
create index mails_held on mails (user_id) where state = 'held';
-- letters to one person from today on
create index mails_letters on mails (user_id, send_after) where kind = 'letter';
-- the outbox by state, newest first
create index mails_state on mails (state, id desc);

-- attempts to write through us, by person or address, sliding over the hour
create table letter_attempts (
  subject text not null,
  -- of what was taken, by which the same once more is known; null where it was refused
  digest text,
  at timestamptz not null default now()
);
-- attempts of one subject in the last hour
create index letter_attempts_subject on letter_attempts (subject, at);

create table bug_reports (
  id bigint generated always as identity primary key,
  -- null for a guest
  user_id uuid references users,
  sender_email text not null check (char_length(sender_email) <= 254),
  topic text not null check (char_length(topic) between 3 and 20),
  text text not null check (char_length(text) between 30 and 1000),
  created_at timestamptz not null default now(),
  done_at timestamptz,
  done_by uuid references users,
  check ((done_at is null) = (done_by is null))
);
-- open reports, newest first
create index bug_reports_open on bug_reports (id desc) where done_at is null;
-- the archive of a person
create index bug_reports_user on bug_reports (user_id, id) where user_id is not null;
-- done ones, newest first
create index bug_reports_done on bug_reports (id desc) where done_at is not null;
