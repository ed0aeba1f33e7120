set local lock_timeout = '5s';

-- The numbers of a day on the desk's first page, counted with the figures of the economy. Null on days that an older
-- version counted.
alter table economy_days
  -- accounts at the end of the day
  add people integer,
  add lessons integer,
  add messages integer,
  -- sent
  add mails integer,
  -- These two can only be counted right after the day; null on days that were counted later.
  add active_people integer,
  add failed_jobs integer;
