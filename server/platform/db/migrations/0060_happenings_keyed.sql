set local lock_timeout = '5s';

alter table happenings drop constraint happenings_pkey,
  add constraint happenings_pkey primary key using index happenings_ordered;
drop index happenings_due;
