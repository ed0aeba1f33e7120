set local lock_timeout = '5s';

-- What every other part stands on: text functions, the running processes, what
-- happened, and the records of audits and backups.
-- Text that people search is stored twice: as written, and folded by the product (contract/fold.ts) in a column
-- whose name ends in _folded. Indexes and searches use the folded form only.

create extension if not exists pg_trgm;

-- Returns all substrings of one and two characters. A GIN index of them answers searches that are shorter than a
-- trigram.
create function short_grams(folded text) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select substr(folded, place, size)
    from generate_series(1, char_length(folded)) place, generate_series(1, 2) size
    where place + size - 1 <= char_length(folded)
  )
$$;

-- The running processes. Each one updates its row every few seconds with the settings that all must share.
create table nodes (
  node text primary key,
  role text not null check (role in ('serves', 'works')),
  -- where other nodes reach it
  url text not null,
  version text not null,
  public_url text not null,
  -- one mark for each key of AUTH_SECRETS, in their order; a mark doesn't reveal its key
  signing_marks text[] not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- What happened, until it is passed on to notices and webhooks. Rows are only inserted, in the transaction of the
-- event, so nobody waits here; within two seconds they are taken. The primary key is the order in which they are taken.
create table events (
  id bigint generated always as identity,
  -- the catalogue (platform/events/catalogue.ts) describes the data of each type
  type text not null,
  data jsonb not null,
  happened_at timestamptz not null,
  -- a message becomes a notice only if it is still unread five minutes later
  due_at timestamptz not null,
  primary key (due_at, id)
);

-- One row per process, updated every second. The value that a replica shows tells how far behind it is.
create table replica_beats (
  node text primary key,
  beat integer not null,
  beat_at timestamptz not null default now()
);

-- The nightly audits. Any process may run the next step.
create table audit_runs (
  -- the UTC day on which the audit was due to begin
  night date primary key,
  began_at timestamptz not null,
  finished_at timestamptz,
  -- the earliest time of the next step
  due_at timestamptz not null,
  -- a process runs a step until then, by the clock of the database, which all processes share
  claimed_until timestamptz,
  -- the completed steps
  done text[] not null default '{}',
  spent_ms bigint not null default 0,
  -- what each step found, and what it could not prove
  outcomes jsonb not null default '[]'
);

-- The last hundred backups, including failed ones.
create table backup_runs (
  id bigint generated always as identity primary key,
  began_at timestamptz not null,
  ended_at timestamptz,
  -- true for the daily job, false for a command
  daily boolean not null,
  -- the destination, without its keys
  place text not null,
  name text not null,
  -- size of the archive; null until it is complete
  bytes bigint,
  -- the reason of a failure, as a sentence
  error text
);
-- Lists the backups, newest first.
create index backup_runs_began on backup_runs (began_at desc);
