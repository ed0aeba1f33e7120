set local lock_timeout = '5s';

-- what of the price went to the author, and was not taken back
alter table lesson_purchases add column share integer not null default 0;
alter table lesson_purchases add constraint lesson_purchases_share check (share between 0 and price) not valid;
alter table course_purchases add column share integer not null default 0;
alter table course_purchases add constraint course_purchases_share check (share between 0 and price) not valid;

-- what all present purchases of an item brought its author; who has brought nothing yet has no row
create table author_shares (
  item_kind text not null check (item_kind in ('lesson', 'course')),
  item_id bigint not null,
  paid integer not null check (paid between 0 and 1000),
  -- what the last purchase added: a statement that adds at most what is left reads here how much that was
  last integer not null check (last >= 0),
  primary key (item_kind, item_id)
) with (fillfactor = 70);
