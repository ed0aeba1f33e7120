set local lock_timeout = '5s';

-- Settings that administrators change on a page: one row, once one was changed.
create table site_settings (
  one boolean primary key default true check (one),
  -- counts the changes
  version bigint not null,
  -- texts by the names of contract/settings.ts
  texts jsonb not null
);
