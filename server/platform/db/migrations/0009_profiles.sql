set local lock_timeout = '5s';

-- A changed address counts at once for its owner, unconfirmed. Until it is confirmed, the one before it stands here:
-- resets and mails go to coalesce(previous_email, email), nobody else can take it, and an undo link brings it back.
-- Confirming empties these three; a second change before that leaves them as they are.
alter table users
  add column previous_email text check (char_length(previous_email) <= 254),
  add column previous_email_folded text unique,
  add column previous_email_confirmed_at timestamptz,
  add constraint users_previous_email check (
    (previous_email is null) = (previous_email_folded is null)
    and (previous_email is not null or previous_email_confirmed_at is null)
  );

-- people search by one or two characters, which no trigram answers
create index users_username_short on users using gin (short_grams(username_folded));

-- people in the order of their names, with all that a walk along it filters by: the table is not visited
create index users_by_name on users (username_folded) include (id) where erased_at is null;

-- whose e-mail a person was shown in the last hour; as many places as there may be people, so that it never grows
create table shown_emails (
  viewer_id uuid not null references users,
  place smallint not null check (place between 1 and 30),
  shown_id uuid not null references users,
  shown_at timestamptz not null,
  primary key (viewer_id, place)
);
