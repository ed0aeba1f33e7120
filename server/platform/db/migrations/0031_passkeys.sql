set local lock_timeout = '5s';

-- what a person signs in with instead of name and password; several a person
create table passkeys (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  -- as the authenticator names it; whoever signs in is found by it
  credential bytea not null unique,
  -- the public half, as a COSE key
  cose bytea not null,
  -- how often it was used, as the authenticator counts; 0 of those that do not count
  counter bigint not null,
  -- over which ways a browser reaches it
  transports text[] not null,
  -- it is copied to its person's other devices
  synced boolean not null,
  -- as its person named it
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
-- those of a person
create index passkeys_user on passkeys (user_id, id);

-- what an authenticator has to sign, once and within minutes; taken by being deleted
create table passkey_challenges (
  challenge bytea primary key,
  purpose text not null check (purpose in ('signIn', 'add', 'confirm')),
  -- whom it was given to; null: somebody who signs in
  user_id uuid references users,
  session_id uuid,
  expires_at timestamptz not null
);
-- those whose time is over
create index passkey_challenges_expires on passkey_challenges (expires_at);
-- those of who erases the account
create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null;
