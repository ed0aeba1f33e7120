set local lock_timeout = '5s';

-- the AI opinion; null until the job has judged
alter table comments
  add column prediction text
    check (prediction in ('POSITIVE', 'NEUTRAL', 'NEGATIVE', 'TOXIC', 'UNKNOWN')),
  add column confidence real check (confidence between 0 and 1),
  add column language text check (language in ('en', 'bg')),
  add column why text[],
  add column model text check (char_length(model) <= 200),
  add column judged_at timestamptz,
  -- as it is searched: NFKD, marks off, lower case; null until the sweep has come to what older versions wrote
  add column text_folded text;
-- Who deletes a comment stands in deleted_by. Nobody does when it went with its lesson, as these did.
update comments m set deleted_at = l.deleted_at, deleted_by = null
from lessons l where l.id = m.lesson_id and l.deleted_at is not null;

alter table flags
  add column closed_by uuid references users;

-- who did what, append-only
create table moderation_log (
  id bigint generated always as identity primary key,
  actor_id uuid not null references users,
  action text not null check (char_length(action) <= 40),
  subject_id text check (char_length(subject_id) <= 36),
  -- the title or the beginning of the text, as it was then
  subject text check (char_length(subject) <= 200),
  -- whom it concerns
  person_id uuid references users,
  reason text check (char_length(reason) <= 200),
  created_at timestamptz not null default now()
);
