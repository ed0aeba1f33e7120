-- outside a transaction
-- The next five answer a page of the desk and the numbers of its chips without visiting the table.
drop index concurrently if exists comments_newest;
-- all comments, newest first
create index concurrently comments_newest on comments (id desc) where deleted_at is null;
drop index concurrently if exists comments_prediction;
-- by opinion, newest first
create index concurrently comments_prediction on comments (prediction, id desc) where deleted_at is null;
drop index concurrently if exists comments_unjudged;
-- those without an opinion, newest first; the sweep
create index concurrently comments_unjudged on comments (id desc) where prediction is null and deleted_at is null;
drop index concurrently if exists comments_language;
-- by language, newest first
create index concurrently comments_language on comments (language, id desc) where deleted_at is null;
drop index concurrently if exists comments_language_prediction;
-- by both, newest first
create index concurrently comments_language_prediction on comments (language, prediction, id desc) where deleted_at is null;
drop index concurrently if exists comments_search;
-- search by three characters and more
create index concurrently comments_search on comments using gin (text_folded gin_trgm_ops) where deleted_at is null;
drop index concurrently if exists comments_unfolded;
-- what the sweep still has to fold
create index concurrently comments_unfolded on comments (id) where text_folded is null;
drop index concurrently if exists comments_deleted;
-- what administrators took away, newest deletion first
create index concurrently comments_deleted on comments (deleted_at desc, id desc) where deleted_by <> user_id;
drop index concurrently if exists flags_subject;
-- open reports of one thing
create index concurrently flags_subject on flags (kind, subject_id) where closed_at is null;
drop index concurrently if exists flags_closed;
-- reports that were dealt with, newest first
create index concurrently flags_closed on flags (id desc) where closed_at is not null
