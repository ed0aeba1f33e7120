-- outside a transaction

-- Indexes of the desk's list of people (server/operate/people).

drop index concurrently if exists users_email_search;
-- Searches people by a part of their address.
create index concurrently users_email_search on users using gin (email_folded gin_trgm_ops);

drop index concurrently if exists users_suspended;
-- Lists suspended people, newest first.
create index concurrently users_suspended on users (id) where suspended_at is not null;

drop index concurrently if exists users_unconfirmed;
-- Lists people who haven't confirmed an address, newest first.
create index concurrently users_unconfirmed on users (id)
  where email_confirmed_at is null and previous_email_confirmed_at is null and erased_at is null;

drop index concurrently if exists messages_day;
-- Counts the messages of a day.
create index concurrently messages_day on messages using brin (created_at);
