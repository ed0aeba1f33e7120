set local lock_timeout = '5s';

-- the first words of a lesson, for everybody; null: none
alter table lesson_contents add column opening text;
alter table lesson_contents add constraint lesson_contents_opening check (char_length(opening) between 1 and 300) not valid;
