set local lock_timeout = '5s';

-- What people decided against the comparison of contents: the lesson doesn't repeat the other one. Outlives the report
-- and the appeal by which it was decided.
create table lesson_clearings (
  lesson_id bigint not null,
  original_id bigint not null,
  cleared_at timestamptz not null,
  -- the time of a later decision that it is a copy
  overruled_at timestamptz,
  primary key (lesson_id, original_id)
);
insert into lesson_clearings (lesson_id, original_id, cleared_at)
select subject_id::bigint, original_id, max(closed_at) from flags
where kind = 'lesson' and original_id is not null and outcome = 'fine' and closed_at is not null
group by 1, 2;
insert into lesson_clearings (lesson_id, original_id, cleared_at)
select a.lesson_id, older.id, max(a.decided_at)
from appeals a
join lesson_fingerprints f on f.lesson_id = a.lesson_id and f.gone_at is null
cross join lateral (values (f.older_id), (f.original_id)) older (id)
where a.granted and older.id is not null
group by 1, 2
on conflict do nothing;

-- A later decision about the same reward can be appealed again. Appeals are found by their person.
drop index appeals_lesson;

-- Who invited whom, after the invitation was deleted.
create table inviters (
  user_id uuid primary key references users,
  inviter_id uuid not null references users
);
-- Finds the people whom somebody invited.
create index inviters_inviter on inviters (inviter_id);
