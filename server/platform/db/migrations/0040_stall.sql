set local lock_timeout = '5s';

-- how often an owner's lessons were viewed on a UTC day; the last eight days
create table owner_view_days (
  day date not null,
  owner_id uuid not null references users,
  views integer not null check (views > 0),
  primary key (day, owner_id)
);

-- people who have opened a lesson that is open to everybody
create table free_readers (
  user_id uuid primary key references users
);
