-- outside a transaction

-- deleted items kept their folded titles, and the ledgers of erased people the titles of what they had made
-- in batches
update lessons set title_folded = '' where id in (
  select id from lessons
  where deleted_at is not null and not kept_for_buyers and not refunds_due and title_folded <> '' limit 1000
);
-- in batches
update courses set title_folded = '' where id in (
  select id from courses
  where deleted_at is not null and not kept_for_buyers and not refunds_due and title_folded <> '' limit 1000
);
-- in batches
update point_entries set item_title = null,
  note = case when reason in ('lessonGone', 'shareReturned') then null else note end
where id in (
  select e.id from point_entries e join users u on u.id = e.user_id
  where u.erased_at is not null and e.item_title is not null limit 1000
);
-- words that no item has any more
-- in batches
delete from search_words where word in (
  select word from search_words
  except select unnest(words) from lesson_words
  except select unnest(words) from course_words
  limit 5000
);
