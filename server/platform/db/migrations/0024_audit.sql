set local lock_timeout = '5s';

-- the nightly audits: each goes on step by step, on whichever process comes first
create table audit_runs (
  -- the UTC day on which it was to begin
  night date primary key,
  began_at timestamptz not null,
  finished_at timestamptz,
  -- the next step is not begun before
  due_at timestamptz not null,
  -- a process is at a step, until then; of the database's clock, which all processes share
  claimed_until timestamptz,
  -- the steps that are through
  done text[] not null default '{}',
  spent_ms bigint not null default 0,
  -- what each step found, and what could not be proved
  outcomes jsonb not null default '[]'
);
