set local lock_timeout = '5s';

-- whether the person chose the zone; else it is that of their browser, and moves with it
alter table notice_digests add column zone_chosen boolean not null default false;
