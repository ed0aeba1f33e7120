set local lock_timeout = '5s';

-- who wrote it, null for guests and for what is ours: a letter of who is blocked, suspended or erased before it goes is dropped
alter table mails add column sender_id uuid references users;
