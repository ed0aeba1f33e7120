-- The second at which a lesson's video begins.
set local lock_timeout = '5s';

alter table lesson_contents add column video_start integer not null default 0;
