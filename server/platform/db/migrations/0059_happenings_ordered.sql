-- outside a transaction
-- the key of what happened is the order in which it is taken: one index to write for each, instead of two
drop index concurrently if exists happenings_ordered;
create unique index concurrently happenings_ordered on happenings (due_at, id);
