set local lock_timeout = '5s';

-- Drafts of the forms of lessons and courses, saved while their authors type.
create table item_drafts (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  -- such as lesson-new or course-7
  form text not null,
  kind text not null check (kind in ('lesson', 'course')),
  -- the item that it edits, or null for a new one
  item_id bigint,
  -- grows with every change, and when the draft ends
  version integer not null check (version > 0),
  -- the fields of the form, or null after the draft was published or discarded, so that a late save doesn't bring it back
  content json check (octet_length(content::text) <= 262144),
  title text not null check (char_length(title) <= 200),
  -- uploads that the draft names, which are not deleted meanwhile
  files uuid[] not null,
  saved_at timestamptz not null,
  unique (user_id, form)
);
-- Lists and counts the drafts of a person, newest first.
create index item_drafts_newest on item_drafts (user_id, saved_at desc) where content is not null;
-- Deletes drafts that nobody has changed for a year.
create index item_drafts_old on item_drafts (saved_at);
-- Deletes ended drafts a day later.
create index item_drafts_ended on item_drafts (saved_at) where content is null;
