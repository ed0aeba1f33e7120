set local lock_timeout = '5s';

-- What people say about themselves on their public page, and whether guests may see it.
alter table users
  add column about text,
  add column page_hidden boolean not null default false;
-- Only new rows are checked, because no older row has a text.
alter table users add constraint users_about check (char_length(about) between 1 and 300) not valid;

-- The log stores a removed text whole, so that an appeal can restore it.
alter table moderation_log drop constraint moderation_log_subject_check;
alter table moderation_log
  add constraint moderation_log_subject_check check (char_length(subject) <= 300) not valid;
