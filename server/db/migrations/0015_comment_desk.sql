-- outside a transaction
drop index concurrently if exists comments_prediction;
-- comments of the desk by opinion, newest first
create index concurrently comments_prediction on comments (prediction, id desc) where deleted_at is null;
drop index concurrently if exists comments_language;
-- the same in one language
create index concurrently comments_language on comments (language, prediction, id desc) where deleted_at is null;
drop index concurrently if exists comments_deleted;
-- what administrators took away
create index concurrently comments_deleted on comments (deleted_at desc) where deleted_at is not null;
drop index concurrently if exists flags_subject;
-- open reports of one thing
create index concurrently flags_subject on flags (kind, subject_id) where closed_at is null
