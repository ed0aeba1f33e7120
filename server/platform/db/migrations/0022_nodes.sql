set local lock_timeout = '5s';

-- the processes that use this database: each says every few seconds that it is there, and with which settings
create table nodes (
  node text primary key,
  role text not null check (role in ('serves', 'works')),
  -- how it is reached, for the log
  url text not null,
  version text not null,
  public_url text not null,
  -- one for each key of AUTH_SECRETS, in their order; no key can be read out of its mark
  signing_marks text[] not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
