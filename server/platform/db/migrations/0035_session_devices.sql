set local lock_timeout = '5s';

-- in which browser and on which system somebody signed in, in words ("Firefox", "Windows"), so that they know their own
-- sessions; null where it could not be told, and for sessions that are older and have not been renewed since
alter table sessions add column browser text;
alter table sessions add column system text;
