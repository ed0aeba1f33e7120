set local lock_timeout = '5s';

create table lesson_likes (
  user_id uuid not null references users,
  lesson_id bigint not null references lessons,
  created_at timestamptz not null default now(),
  primary key (user_id, lesson_id)
);
-- what a person liked, newest first
create index lesson_likes_newest on lesson_likes (user_id, created_at desc, lesson_id desc);
-- likes of a lesson that goes
create index lesson_likes_lesson on lesson_likes (lesson_id);

create table course_likes (
  user_id uuid not null references users,
  course_id bigint not null references courses,
  created_at timestamptz not null default now(),
  primary key (user_id, course_id)
);
-- what a person liked, newest first
create index course_likes_newest on course_likes (user_id, created_at desc, course_id desc);
-- likes of a course that goes
create index course_likes_course on course_likes (course_id);

create table comments (
  id bigint generated always as identity primary key,
  lesson_id bigint not null references lessons,
  user_id uuid not null references users,
  text text not null check (char_length(text) between 10 and 200),
  -- made by the form, so that a repeated create makes one comment
  draft_id uuid,
  created_at timestamptz not null default now(),
  -- gone for everybody; an administrator may bring it back
  deleted_at timestamptz,
  deleted_by uuid references users,
  constraint comments_draft unique (user_id, draft_id)
);
-- comments of a lesson, newest first
create index comments_lesson on comments (lesson_id, id desc) where deleted_at is null;
-- comments of a person, newest first; the deleted too, so that writing and deleting in haste is seen
create index comments_user on comments (user_id, id desc);
