set local lock_timeout = '5s';

-- The comment that this one answers, of the same lesson and no answer itself; null: it answers none. No foreign key:
-- the rows of deleted comments go after a month, and what answered them stays.
alter table comments add column reply_to bigint;
-- when its writer last changed the text; null: never
alter table comments add column edited_at timestamptz;
