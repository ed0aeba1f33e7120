set local lock_timeout = '5s';

-- The author's share of a lesson that was unlocked on trust, until the buyer's debt is repaid. A person unlocks only
-- one lesson on trust. A refund deletes the purchase, and with it what is due.
create table trusted_shares (
  user_id uuid primary key,
  lesson_id bigint not null,
  share integer not null check (share between 1 and 1000),
  foreign key (user_id, lesson_id) references lesson_purchases on delete cascade
);
