set local lock_timeout = '5s';

-- The figures of the economy (server/operate/economy), counted once a day from the ledger.

-- One row for each UTC day. Counting a day again gives the same row.
create table economy_days (
  day date primary key,
  -- points and debts of all people at the end of the day
  supply bigint not null,
  debt bigint not null,
  -- sum of the day's entries by reason
  amounts jsonb not null,
  rewarded integer not null,
  -- number of withheld rewards by their reason
  withheld jsonb not null,
  unlocks integer not null,
  newcomers integer not null,
  -- people who joined seven days before, and those of them who have unlocked something since
  joined_week_ago integer not null,
  unlocked_in_week integer not null,
  -- median of those whose first unlock was in the 90 days until the end of the day
  days_to_unlock double precision,
  gini double precision,
  top_share double precision
);

-- The most unusual accounts of the 30 days before the last counted day; replaced with each count.
create table unusual_accounts (
  user_id uuid not null references users,
  what text not null,
  count bigint not null,
  primary key (user_id, what)
);
