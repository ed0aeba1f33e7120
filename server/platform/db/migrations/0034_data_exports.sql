set local lock_timeout = '5s';

-- The copy of a person's data that a job makes: one a person, its file in storage under the person's id.
create table data_exports (
  user_id uuid primary key references users (id) on delete cascade,
  -- of this copy: its address
  id uuid not null unique,
  state text not null default 'waiting' check (state in ('waiting', 'making', 'ready', 'failed')),
  asked_at timestamptz not null,
  ready_at timestamptz,
  -- it and its file are removed then
  ends_at timestamptz not null,
  -- about how large it will be; reserves room
  expected bigint not null check (expected >= 0),
  -- written so far; of all of it when it is ready
  bytes bigint not null default 0 check (bytes >= 0)
);
-- those that have ended
create index data_exports_ends on data_exports (ends_at);
