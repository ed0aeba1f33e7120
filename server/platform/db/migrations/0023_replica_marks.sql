set local lock_timeout = '5s';

-- when its person last wrote something: for some seconds they read from the primary
alter table sessions add column wrote_at timestamptz default now();

-- one row a process, written every second: what of it a replica shows tells how far it has come
create table replica_beats (
  node text primary key,
  beat integer not null,
  beat_at timestamptz not null default now()
);
