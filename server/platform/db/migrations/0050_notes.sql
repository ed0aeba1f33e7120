set local lock_timeout = '5s';

-- what people write for themselves beside a lesson
create table notes (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  text text not null,
  text_folded text not null,
  -- of the lesson's video, where it was when the note was begun; null: it was not played
  second integer check (second >= 0),
  draft_id uuid,
  created_at timestamptz not null,
  edited_at timestamptz,
  unique (user_id, draft_id)
);

-- a person's own, the newest first; and those of one lesson, which are counted before another one is taken
create index notes_newest on notes (user_id, id desc);
create index notes_of_lesson on notes (user_id, lesson_id);
