-- outside a transaction
-- Built concurrently: people write meanwhile, however big a table is.
drop index concurrently if exists comments_gone;
-- deleted comments, whose rows go once nobody can bring them back
create index concurrently comments_gone on comments (deleted_at) where deleted_at is not null;
drop index concurrently if exists flags_settled;
-- reports that were dealt with long ago
create index concurrently flags_settled on flags (closed_at) where closed_at is not null;
drop index concurrently if exists bug_reports_settled;
-- the same of problems
create index concurrently bug_reports_settled on bug_reports (done_at) where done_at is not null;
drop index concurrently if exists access_tokens_ended;
-- tokens that opened their last door long ago
create index concurrently access_tokens_ended on access_tokens (expires_at);
