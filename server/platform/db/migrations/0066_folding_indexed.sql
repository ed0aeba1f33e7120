-- outside a transaction
drop index concurrently if exists users_unfolded;
-- people whose name is to be folded, or whose folded name is to go; a job does it
create index concurrently users_unfolded on users (id) where (name_folded is null) = (erased_at is null);
-- Names in ASCII are folded already.
-- in batches
update users set name_folded = username_folded where id in (
  select id from users
  where (name_folded is null) = (erased_at is null) and erased_at is null
    and octet_length(username_folded) = char_length(username_folded)
  limit 5000
);
drop index concurrently if exists users_name_search;
-- people by three letters of their name and more
create index concurrently users_name_search on users using gin (name_folded gin_trgm_ops);
drop index concurrently if exists users_name_short;
-- people by one or two characters
create index concurrently users_name_short on users using gin (short_grams(name_folded));
drop index concurrently if exists users_name_prefix;
-- people whose name begins so
create index concurrently users_name_prefix on users (name_folded text_pattern_ops) where erased_at is null;
drop index concurrently if exists users_in_order;
-- people in the order of their names, with all that a walk along it filters by: the table is not visited
create index concurrently users_in_order on users (username_folded) include (id, name_folded) where erased_at is null;
-- the same without the folded name
drop index concurrently if exists users_by_name;
-- What follows is empty once the job has folded what older versions wrote.
drop index concurrently if exists lesson_tags_unfolded;
create index concurrently lesson_tags_unfolded on lesson_tags (lesson_id)
  where not folded and octet_length(tag) <> char_length(tag);
drop index concurrently if exists lessons_unfolded;
create index concurrently lessons_unfolded on lessons (id) where is_stale_fold(title_folded);
drop index concurrently if exists courses_unfolded;
create index concurrently courses_unfolded on courses (id) where is_stale_fold(title_folded);
drop index concurrently if exists notes_unfolded;
create index concurrently notes_unfolded on notes (id) where is_stale_fold(text_folded);
drop index concurrently if exists comments_to_fold;
create index concurrently comments_to_fold on comments (id) where text_folded is null or is_stale_fold(text_folded);
drop index concurrently if exists comments_unfolded;
drop index concurrently if exists search_words_unfolded;
create index concurrently search_words_unfolded on search_words (word) where is_stale_fold(word);
