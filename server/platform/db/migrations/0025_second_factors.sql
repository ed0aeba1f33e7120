set local lock_timeout = '5s';

-- since when sign-ins ask for a code; read with the person at every call, so it stands here
alter table users add column second_factor_at timestamptz;

-- when its person last confirmed that it is them; null: when they signed in
alter table sessions add column confirmed_at timestamptz;

-- of an authenticator app, encrypted with a key of the installation
create table totp_secrets (
  user_id uuid primary key references users,
  sealed bytea not null,
  created_at timestamptz not null,
  -- null until the app has shown one code that fits
  confirmed_at timestamptz,
  -- the half minute of the newest code that was used: neither it nor an earlier one is good again
  last_step bigint not null default 0
);

-- SHA-256 of each code that still works; a used one is deleted
create table recovery_codes (
  user_id uuid not null references users,
  hash bytea not null,
  primary key (user_id, hash)
);
