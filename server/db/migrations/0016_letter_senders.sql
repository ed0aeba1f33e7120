set local lock_timeout = '5s';

-- who wrote a letter: whoever is blocked, suspended or erased before it goes is not heard; null for all other mails
alter table mails add column sender_id uuid references users;
