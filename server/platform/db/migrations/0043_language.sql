set local lock_timeout = '5s';

-- what the words of an item are in; none: no language at all; null: nobody has listened yet
alter table lesson_contents add column language text;
alter table lesson_contents add constraint lesson_contents_language check (language in ('en', 'bg', 'other', 'none')) not valid;
alter table course_contents add column language text;
alter table course_contents add constraint course_contents_language check (language in ('en', 'bg', 'other', 'none')) not valid;
