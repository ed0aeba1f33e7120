-- outside a transaction
drop index concurrently if exists comments_touched;
-- what was changed or deleted under a lesson, by when: open pages ask for it every few seconds; its condition names both
-- columns at once, so that no statement about deleted ones alone is led through it
create index concurrently comments_touched on comments (lesson_id, (greatest(edited_at, deleted_at))) where greatest(edited_at, deleted_at) is not null;
