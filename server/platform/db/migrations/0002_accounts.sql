set local lock_timeout = '5s';

-- People, how they sign in, and the files they upload.

create table users (
  id uuid primary key,
  username text not null check (char_length(username) between 2 and 29),
  -- NFKC, with case and look-alikes folded: names that look the same are equal
  username_skeleton text not null unique,
  -- lower case, for signing in and for the order of lists
  username_folded text not null,
  -- without case, accents and strokes, for search; null for erased accounts
  name_folded text,
  email text not null check (char_length(email) <= 254),
  email_folded text not null unique,
  email_confirmed_at timestamptz,
  -- A changed address is valid at once, but unconfirmed. Until it is confirmed, these three hold the address before
  -- it: mails go to coalesce(previous_email, email), nobody else can take it, and a link in a mail restores it. A
  -- second change before that leaves them as they are.
  previous_email text check (char_length(previous_email) <= 254),
  previous_email_folded text unique,
  previous_email_confirmed_at timestamptz,
  hide_email boolean not null default false,
  -- accepts mails that the account does not need
  notices boolean not null default true,
  password_hash text not null,
  -- since when sign-ins need a code; null without a second factor
  second_factor_at timestamptz,
  role text not null default 'user' check (role in ('user', 'administrator')),
  picture_id bigint,
  locale text not null default 'en' check (locale in ('en', 'bg')),
  created_at timestamptz not null default now(),
  suspended_at timestamptz,
  suspended_reason text check (char_length(suspended_reason) <= 200),
  erased_at timestamptz,
  constraint users_previous_email check (
    (previous_email is null) = (previous_email_folded is null)
    and (previous_email is not null or previous_email_confirmed_at is null)
  )
);
-- Finds the person who signs in by name, in any case.
create unique index users_username_folded on users (username_folded);
-- Lists people by name; it includes all filters of that list, so the table is not visited.
create index users_in_order on users (username_folded) include (id, name_folded) where erased_at is null;
-- Searches people by three or more characters.
create index users_name_search on users using gin (name_folded gin_trgm_ops);
-- Searches people by one or two characters.
create index users_name_short on users using gin (short_grams(name_folded));
-- Suggests people whose name begins with a term.
create index users_name_prefix on users (name_folded text_pattern_ops) where erased_at is null;
-- Finds the few administrators.
create index users_administrators on users (id) where role = 'administrator';
-- Finds the person whose face a picture is, before it is removed.
create index users_picture on users (picture_id) where picture_id is not null;

-- A former name stays reserved for its person for 180 days, and links with it lead to them.
create table former_usernames (
  username_skeleton text primary key,
  username_folded text not null,
  user_id uuid not null references users,
  free_at timestamptz not null
);
-- Lists the former names of a person.
create index former_usernames_user on former_usernames (user_id);
-- Deletes names that are no longer reserved.
create index former_usernames_free on former_usernames (free_at);

-- One row per sign-in. The refresh token is derived from id and generation, so no secret is stored.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users,
  generation integer not null default 1 check (generation > 0),
  rotated_at timestamptz not null default now(),
  -- the browser and its system, in words ("Firefox", "Windows"); null if unknown
  browser text,
  system text,
  -- the OpenID Connect provider that began the session, and its id for it; null for passwords and passkeys
  provider_issuer text,
  provider_sid text,
  created_at timestamptz not null default now(),
  -- the last confirmation of identity; null if there was none since the sign-in
  confirmed_at timestamptz,
  -- the last write; for some seconds after it, the person reads from the primary
  wrote_at timestamptz default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
-- Signs a person out everywhere.
create index sessions_user on sessions (user_id) where revoked_at is null;
-- Ends the sessions of a provider that reports a sign-out.
create index sessions_provider on sessions (provider_sid) where provider_sid is not null and revoked_at is null;
-- Deletes expired sessions.
create index sessions_expiry on sessions (expires_at);

-- Failed sign-ins by account and by address, which slow down further attempts.
create table login_failures (
  subject text primary key,
  failures integer not null,
  last_at timestamptz not null
);

-- Links in mails, which work once.
create table account_tokens (
  id uuid primary key,
  user_id uuid not null references users,
  kind text not null check (kind in ('confirm', 'undo', 'reset')),
  -- SHA-256 of the secret in the link
  hash bytea not null unique,
  -- the address to confirm or to restore
  email text check (char_length(email) <= 254),
  email_folded text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((email is null) = (email_folded is null))
);
-- Finds the valid links of a person.
create index account_tokens_user on account_tokens (user_id, kind) where used_at is null;
-- Reserves an address for as long as it can be restored.
create index account_tokens_kept on account_tokens (email_folded) where kind = 'undo' and used_at is null;
-- Deletes expired links.
create index account_tokens_expiry on account_tokens (expires_at);

-- The secrets of authenticator apps, encrypted with a key of the installation.
create table totp_secrets (
  user_id uuid primary key references users,
  sealed bytea not null,
  created_at timestamptz not null,
  -- null until the person has entered a valid code
  confirmed_at timestamptz,
  -- the time step of the last code that was used; this code and earlier ones are refused
  last_step bigint not null default 0
);

-- SHA-256 of each unused recovery code. A used code is deleted.
create table recovery_codes (
  user_id uuid not null references users,
  hash bytea not null,
  primary key (user_id, hash)
);

create table passkeys (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  -- the id that the authenticator gave; sign-ins find the person by it
  credential bytea not null unique,
  -- the public key in COSE form
  cose bytea not null,
  -- the signature counter of the authenticator; 0 if it has none
  counter bigint not null,
  -- how a browser reaches the authenticator
  transports text[] not null,
  -- copied to other devices of the person
  synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
-- Lists the passkeys of a person.
create index passkeys_user on passkeys (user_id, id);

-- What an authenticator must sign once, within minutes. Using a challenge deletes it.
create table passkey_challenges (
  challenge bytea primary key,
  purpose text not null check (purpose in ('signIn', 'add', 'confirm')),
  -- null for a sign-in
  user_id uuid references users,
  session_id uuid,
  expires_at timestamptz not null
);
-- Deletes the challenges of an erased account.
create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null;
-- Deletes expired challenges.
create index passkey_challenges_expires on passkey_challenges (expires_at);

-- Who a person is at a provider of OpenID Connect.
create table identities (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  issuer text not null,
  subject text not null,
  -- what the provider calls the person: an address, otherwise a name
  label text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  unique (issuer, subject)
);
-- Lists the identities of a person.
create index identities_user on identities (user_id, id);

-- Unfinished sign-ins by a provider. A cookie ties each one to its browser.
create table oidc_flows (
  -- SHA-256 of the cookie's secret
  id bytea primary key,
  issuer text not null,
  -- the account that gets another identity; null for a sign-in
  user_id uuid references users,
  session_id uuid,
  nonce text not null,
  verifier text not null,
  -- the page to open afterwards
  next text not null,
  -- when the browser returned, which is allowed once
  returned_at timestamptz,
  -- the claims of the provider, until the person has decided what to do
  subject text,
  sid text,
  email text,
  email_verified boolean,
  label text,
  suggested text,
  expires_at timestamptz not null
);
-- Deletes the flows of an erased account.
create index oidc_flows_user on oidc_flows (user_id) where user_id is not null;
-- Deletes expired flows.
create index oidc_flows_expires on oidc_flows (expires_at);

-- Personal access tokens of programs. A revoked token is deleted.
create table access_tokens (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  name text not null check (char_length(name) between 1 and 60),
  -- SHA-256 of the token; each request finds its token by it
  hash bytea not null unique,
  scopes text[] not null
    check (scopes <@ array['read', 'write', 'chat', 'admin'] and cardinality(scopes) between 1 and 4),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- accurate to a minute
  last_used_at timestamptz
);
-- Lists the tokens of a person, and deletes those of an erased account.
create index access_tokens_user on access_tokens (user_id);
-- Deletes tokens that expired long ago.
create index access_tokens_ended on access_tokens (expires_at);

-- The e-mail addresses that a person was shown in the last hour. The number of places is the limit, so the table
-- doesn't grow.
create table shown_emails (
  viewer_id uuid not null references users,
  place smallint not null check (place between 1 and 30),
  shown_id uuid not null references users,
  shown_at timestamptz not null,
  primary key (viewer_id, place)
);

-- Faces and covers. Rows with the same content share their files.
create table pictures (
  id bigint generated always as identity primary key,
  owner_id uuid references users,
  -- hash of the content; names the files and their URLs
  key text not null check (key ~ '^[0-9a-f]{40}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- average colour (#rrggbb), shown until the picture has loaded
  placeholder text not null check (placeholder ~ '^#[0-9a-f]{6}$'),
  -- of all files; 0 until the first check
  bytes bigint not null default 0 check (bytes >= 0),
  created_at timestamptz not null default now(),
  -- the next check, which removes the picture if nothing shows it
  look_at timestamptz not null default now() + interval '15 minutes'
);
-- Finds the same picture when it is uploaded again, and the last use of a file.
create index pictures_key on pictures (key);
-- Lists the pictures of a person.
create index pictures_owner on pictures (owner_id) where owner_id is not null;
-- Finds pictures whose check is due.
create index pictures_look_at on pictures (look_at);
alter table users add constraint users_picture foreign key (picture_id) references pictures;

-- Files that lessons offer. An upload that no lesson names is deleted after 24 hours.
create table uploads (
  id uuid primary key,
  owner_id uuid not null references users,
  name text not null check (char_length(name) between 1 and 255),
  -- in bytes; the announced size until the upload is finished
  size bigint not null check (size between 1 and 52428800),
  -- null while no lesson names it
  lesson_id bigint,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  -- The request that appends to the upload, on any node. It extends held_until while it writes, so the lease of a
  -- dead one ends. A request that waits for it sets is_wanted, because the client of the holder may be gone.
  holder text,
  held_until timestamptz,
  is_wanted boolean not null default false
);
-- Sums up the quota of a person.
create index uploads_owner on uploads (owner_id);
-- Finds the files of a deleted lesson.
create index uploads_lesson on uploads (lesson_id) where lesson_id is not null;
-- Deletes uploads that no lesson names.
create index uploads_unattached on uploads (created_at) where lesson_id is null;

-- The copy of a person's data that a job makes. Its file is stored under the person's id.
create table data_exports (
  user_id uuid primary key references users (id) on delete cascade,
  -- names this copy in its URL
  id uuid not null unique,
  state text not null default 'waiting' check (state in ('waiting', 'making', 'ready', 'failed')),
  asked_at timestamptz not null,
  ready_at timestamptz,
  -- when the copy and its file are removed
  ends_at timestamptz not null,
  -- estimated size, which reserves disk space
  expected bigint not null check (expected >= 0),
  -- written so far
  bytes bigint not null default 0 check (bytes >= 0)
);
-- Removes expired copies.
create index data_exports_ends on data_exports (ends_at);
