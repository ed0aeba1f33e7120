-- outside a transaction
drop index concurrently if exists lessons_prefix;
-- suggestions: titles that begin with what is typed
create index concurrently lessons_prefix on lessons (title_folded text_pattern_ops) where deleted_at is null;
