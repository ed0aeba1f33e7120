set local lock_timeout = '5s';

-- tags of the lessons that are there, for recommendations
create table lesson_tags (
  -- in lower case
  tag text not null,
  lesson_id bigint not null references lessons,
  -- the newest lessons of a tag
  primary key (tag, lesson_id)
);
insert into lesson_tags (tag, lesson_id)
  select distinct lower(given.tag), l.id
  from lessons l join lesson_contents c on c.lesson_id = l.id, unnest(c.tags) given (tag)
  where l.deleted_at is null;
-- the tags of a lesson
create index lesson_tags_lesson on lesson_tags (lesson_id, tag);
