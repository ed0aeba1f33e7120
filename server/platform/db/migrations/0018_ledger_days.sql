-- outside a transaction
drop index concurrently if exists point_entries_day;
-- Finds the entries of a day, and those since then, to count the economy. Entries are in the order of their time, so
-- that the index needs only a few bytes for many pages.
create index concurrently point_entries_day on point_entries using brin (created_at) with (autosummarize = on);
