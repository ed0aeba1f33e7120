set local lock_timeout = '5s';

-- mailed links: single-use, hashed, expiring
create table account_tokens (
  id uuid primary key,
  user_id uuid not null references users,
  kind text not null check (kind in ('confirm', 'undo', 'reset')),
  -- SHA-256 of the secret in the link
  hash bytea not null unique,
  -- the address that is confirmed, or given back
  email text check (char_length(email) <= 254),
  email_folded text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((email is null) = (email_folded is null))
);
-- the links of a person that still work
create index account_tokens_user on account_tokens (user_id, kind) where used_at is null;
-- the job that clears ended ones
create index account_tokens_expiry on account_tokens (expires_at);
-- an address that can be given back is its person's until then
create index account_tokens_kept on account_tokens (email_folded) where kind = 'undo' and used_at is null;

alter table users
  -- mails that are not needed to use the account
  add column notices boolean not null default true,
  add column suspended_reason text check (char_length(suspended_reason) <= 200);
