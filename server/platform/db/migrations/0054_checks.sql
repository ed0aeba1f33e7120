set local lock_timeout = '5s';

-- what a lesson asks those who read it. Without questions the row stays, so that no revision comes twice
create table lesson_checks (
  lesson_id bigint primary key references lessons,
  -- grows with what is asked, its answers, and which of them are right
  revision integer not null check (revision > 0),
  questions jsonb not null,
  size smallint not null check (size between 0 and 5),
  -- of this revision: attempts, and those in which all was right; of each answer in turn how often it was chosen, of
  -- each question how often it was answered rightly
  attempts integer not null default 0,
  passes integer not null default 0,
  chosen integer[] not null,
  rightly integer[] not null
);

-- a person's attempts at it: the best and the last one, each with what was chosen, question by question
create table check_results (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  attempts integer not null,
  best_right smallint not null check (best_right between 0 and best_of),
  best_of smallint not null,
  best_revision integer not null,
  best_answers jsonb not null,
  best_at timestamptz not null,
  last_right smallint not null check (last_right between 0 and last_of),
  last_of smallint not null,
  last_revision integer not null,
  last_answers jsonb not null,
  last_at timestamptz not null,
  -- all was right in one attempt for the first time; null: never
  passed_at timestamptz,
  primary key (user_id, lesson_id)
);
