-- outside a transaction
drop index concurrently if exists comments_replies;
-- answers to a comment, oldest first
create index concurrently comments_replies on comments (reply_to, id) where reply_to is not null and deleted_at is null;
