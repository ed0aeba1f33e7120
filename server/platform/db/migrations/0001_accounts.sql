set local lock_timeout = '5s';
create extension if not exists pg_trgm;

create table users (
  id uuid primary key,
  username text not null check (char_length(username) between 2 and 29),
  -- NFKC, case and look-alikes folded: two names that look the same are the same
  username_skeleton text not null unique,
  -- lower case; what search and login use
  username_folded text not null,
  email text not null check (char_length(email) <= 254),
  email_folded text not null unique,
  email_confirmed_at timestamptz,
  hide_email boolean not null default false,
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'administrator')),
  picture_id bigint,
  locale text not null default 'en' check (locale in ('en', 'bg')),
  created_at timestamptz not null default now(),
  suspended_at timestamptz,
  erased_at timestamptz
);
-- login by name in any case
create unique index users_username_folded on users (username_folded);
-- people search: substring of the folded name
create index users_username_search on users using gin (username_folded gin_trgm_ops);

-- a given-up name stays its person's for 180 days, and its links lead there
create table former_usernames (
  username_skeleton text primary key,
  username_folded text not null,
  user_id uuid not null references users,
  free_at timestamptz not null
);
-- renames of one person
create index former_usernames_user on former_usernames (user_id);

-- one row a sign-in (token family); the refresh token is derived from id and generation, nothing secret is stored
create table sessions (
  id uuid primary key,
  user_id uuid not null references users,
  generation integer not null default 1 check (generation > 0),
  rotated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
-- sign out everywhere
create index sessions_user on sessions (user_id) where revoked_at is null;
-- the job that clears ended sessions
create index sessions_expiry on sessions (expires_at);

-- failed sign-ins by account and by address, for slowing down
create table login_failures (
  subject text primary key,
  failures integer not null,
  last_at timestamptz not null
);
