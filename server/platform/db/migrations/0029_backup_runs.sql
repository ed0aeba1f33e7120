set local lock_timeout = '5s';

-- the backups that were made, or tried: the last hundred
create table backup_runs (
  id bigint generated always as identity primary key,
  began_at timestamptz not null,
  ended_at timestamptz,
  -- by the daily job; else by somebody's command
  daily boolean not null,
  -- without keys
  place text not null,
  name text not null,
  -- of the archive, null until it is there
  bytes bigint,
  -- why there is none, in words
  error text
);
-- the last ones
create index backup_runs_began on backup_runs (began_at desc);
