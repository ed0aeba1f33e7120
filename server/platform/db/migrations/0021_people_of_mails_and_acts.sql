-- outside a transaction
drop index concurrently if exists mails_user;
-- the mails that a person got, when the account is erased
create index concurrently mails_user on mails (user_id) where user_id is not null;
drop index concurrently if exists mails_sender;
-- and those that the person wrote
create index concurrently mails_sender on mails (sender_id) where sender_id is not null;
drop index concurrently if exists moderation_log_person;
-- what was done about a person, when the account is erased
create index concurrently moderation_log_person on moderation_log (person_id) where person_id is not null;
