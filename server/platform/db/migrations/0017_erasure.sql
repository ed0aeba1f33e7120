set local lock_timeout = '5s';

-- deleted with its owner's account, but open to those who bought it; in no list of others
alter table lessons
  add column kept_for_buyers boolean not null default false,
  add constraint lessons_kept check (not kept_for_buyers or deleted_at is not null);
alter table courses
  add column kept_for_buyers boolean not null default false,
  add constraint courses_kept check (not kept_for_buyers or deleted_at is not null);

-- what a person wrote through us under their address
create index mails_reply_to on mails (lower(reply_to)) where reply_to is not null;
