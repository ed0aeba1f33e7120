set local lock_timeout = '5s';

-- What people say about items and to each other, and what moderators do about it.

create table comments (
  id bigint generated always as identity primary key,
  lesson_id bigint not null references lessons,
  user_id uuid not null references users,
  -- The comment of the same lesson that this one answers; an answer has no answers. Not a foreign key, because the rows
  -- of deleted comments are removed after a month, and their answers stay.
  reply_to bigint,
  text text not null check (char_length(text) between 10 and 200),
  text_folded text not null,
  -- from the form, so that a repeated create makes one comment
  draft_id uuid,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  -- The opinion of the model about the text; null until a job has classified it.
  prediction text
    check (prediction in ('POSITIVE', 'NEUTRAL', 'NEGATIVE', 'TOXIC', 'UNKNOWN')),
  confidence real check (confidence between 0 and 1),
  language text check (language in ('en', 'bg')),
  why text[],
  model text check (char_length(model) <= 200),
  judged_at timestamptz,
  -- hidden from everybody; an administrator can restore it
  deleted_at timestamptz,
  -- null if it was deleted together with its lesson
  deleted_by uuid references users,
  constraint comments_draft unique (user_id, draft_id)
);
-- Lists the comments of a lesson, newest first.
create index comments_lesson on comments (lesson_id, id desc) where deleted_at is null;
-- Lists the answers to a comment, oldest first.
create index comments_replies on comments (reply_to, id) where reply_to is not null and deleted_at is null;
-- Tells open pages every few seconds what was edited or deleted. Its condition names both columns in one expression,
-- so that no query about deleted comments alone uses it.
create index comments_touched on comments (lesson_id, (greatest(edited_at, deleted_at))) where greatest(edited_at, deleted_at) is not null;
-- Lists the comments of a person, newest first. It includes deleted ones, so that the limit on writing counts them.
create index comments_user on comments (user_id, id desc);
-- The next five list the moderators' page and count its filters without visiting the table.
-- All comments, newest first.
create index comments_newest on comments (id desc) where deleted_at is null;
-- By opinion.
create index comments_prediction on comments (prediction, id desc) where deleted_at is null;
-- Without an opinion; a job also queues these.
create index comments_unjudged on comments (id desc) where prediction is null and deleted_at is null;
-- By language.
create index comments_language on comments (language, id desc) where deleted_at is null;
-- By language and opinion.
create index comments_language_prediction on comments (language, prediction, id desc) where deleted_at is null;
-- Searches the moderators' page by three or more characters.
create index comments_search on comments using gin (text_folded gin_trgm_ops) where deleted_at is null;
-- Lists what administrators deleted, latest first.
create index comments_deleted on comments (deleted_at desc, id desc) where deleted_by <> user_id;
-- Removes the rows of comments that were deleted long ago.
create index comments_gone on comments (deleted_at) where deleted_at is not null;

-- What buyers think of an item. A person has at most one rating of an item that is not deleted.
create table ratings (
  id bigint generated always as identity primary key,
  -- one of the two is set
  lesson_id bigint references lessons,
  course_id bigint references courses,
  user_id uuid not null references users,
  stars smallint not null check (stars between 1 and 5),
  text text check (char_length(text) between 20 and 500),
  created_at timestamptz not null,
  edited_at timestamptz,
  -- the reply of the item's author
  answer text check (char_length(answer) between 1 and 500),
  answered_at timestamptz,
  -- The opinion of the model, as for comments.
  prediction text check (prediction in ('POSITIVE', 'NEUTRAL', 'NEGATIVE', 'TOXIC', 'UNKNOWN')),
  confidence real check (confidence between 0 and 1),
  language text check (language in ('en', 'bg')),
  why text[],
  model text check (char_length(model) <= 200),
  judged_at timestamptz,
  -- not counted, and removed a month later; an administrator can restore what one deleted
  deleted_at timestamptz,
  -- null if it was deleted together with the right to the item
  deleted_by uuid references users,
  check (num_nonnulls(lesson_id, course_id) = 1),
  check ((answer is null) = (answered_at is null))
);
-- Allow one rating per person and item.
create unique index ratings_lesson_person on ratings (lesson_id, user_id) where deleted_at is null and lesson_id is not null;
create unique index ratings_course_person on ratings (course_id, user_id) where deleted_at is null and course_id is not null;
-- List the ratings of an item, newest first, and count its stars.
create index ratings_of_lesson on ratings (lesson_id, id desc) include (stars) where deleted_at is null and lesson_id is not null;
create index ratings_of_course on ratings (course_id, id desc) include (stars) where deleted_at is null and course_id is not null;
-- Lists the ratings of a person, for exports and erasure.
create index ratings_person on ratings (user_id, id);
-- The next three list the moderators' page, newest first: all texts, by opinion, and without an opinion.
create index ratings_worded on ratings (id desc) where deleted_at is null and text is not null;
create index ratings_prediction on ratings (prediction, id desc) where deleted_at is null and text is not null;
create index ratings_unjudged on ratings (id desc) where prediction is null and deleted_at is null and text is not null;
-- Lists what can be restored, and removes the rows of what was deleted long ago.
create index ratings_deleted on ratings (deleted_at) where deleted_at is not null;

-- The mean of all ratings of a kind, in thousandths of a star, by which items are ranked. A job computes it daily and
-- keeps the old one while the difference is small, because a new mean changes the ranks of all rated items.
create table rating_means (
  kind text primary key check (kind in ('lesson', 'course')),
  mean integer not null check (mean between 1000 and 5000),
  -- false while ranks are being updated: items up to ranked_to have the rank of this mean
  ranked boolean not null default true,
  ranked_to bigint not null default 0,
  reckoned_at timestamptz not null default '-infinity'
);
-- The middle of the scale, until there are ratings.
insert into rating_means (kind, mean) values ('lesson', 3000), ('course', 3000);

-- Returns the value by which lists are sorted: the mean of an item's stars and of five more ratings that equal the
-- mean of all, as the distance from that mean plus 4000, in thousandths. So an item without ratings has the rank
-- 4000, whatever the mean is, and a new mean changes the ranks of rated items only.
create function rank_of_ratings(stars bigint, ratings bigint, mean integer) returns integer
language sql immutable parallel safe as $$
  select 4000 + round((1000 * stars - ratings * mean)::numeric / (ratings + 5))::integer
$$;

-- The chat.
create table messages (
  id bigint generated always as identity primary key,
  sender_id uuid not null references users,
  receiver_id uuid not null references users,
  text text not null check (char_length(text) between 1 and 200),
  -- from the form, so that a repeated create makes one message
  draft_id uuid,
  created_at timestamptz not null default now(),
  -- when it was sent to the receiver's connections
  delivered_at timestamptz,
  -- when the hub call arrived that belongs to it
  claimed_at timestamptz,
  constraint messages_draft unique (sender_id, draft_id),
  check (sender_id <> receiver_id)
);
-- Reads a conversation of two people, in both directions.
create index messages_conversation on messages (least(sender_id, receiver_id), greatest(sender_id, receiver_id), id);
-- Counts the messages of a person in the last minute.
create index messages_sender on messages (sender_id, created_at);
-- Finds the message that a hub call belongs to.
create index messages_unclaimed on messages (sender_id, receiver_id, created_at) where claimed_at is null;

-- One row for each side of a conversation.
create table conversations (
  user_id uuid not null references users,
  other_id uuid not null references users,
  last_message_id bigint not null references messages,
  -- messages of the other person
  unread integer not null default 0 check (unread >= 0),
  primary key (user_id, other_id)
);
-- Lists the contacts of a person, latest message first.
create index conversations_newest on conversations (user_id, last_message_id desc);
-- Counts the unread messages of a person.
create index conversations_unread on conversations (user_id) include (unread) where unread > 0;

-- user_id accepts no messages from blocked_id.
create table person_blocks (
  user_id uuid not null references users,
  blocked_id uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);

-- What people report to moderators.
create table flags (
  id bigint generated always as identity primary key,
  reporter_id uuid not null references users,
  kind text not null check (kind in ('lesson', 'course', 'comment', 'message', 'profile', 'rating')),
  -- a number, or the user's id for a profile
  subject_id text not null check (char_length(subject_id) <= 36),
  text text not null check (char_length(text) between 3 and 500),
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  closed_by uuid references users
);
-- Lists open reports, newest first.
create index flags_open on flags (id desc) where closed_at is null;
-- Lists closed reports, newest first.
create index flags_closed on flags (id desc) where closed_at is not null;
-- Finds the open reports of one thing.
create index flags_subject on flags (kind, subject_id) where closed_at is null;
-- Counts the reports of a person today.
create index flags_reporter on flags (reporter_id, created_at);
-- Deletes reports that were closed long ago.
create index flags_settled on flags (closed_at) where closed_at is not null;

-- What administrators did. Entries are only appended.
create table moderation_log (
  id bigint generated always as identity primary key,
  actor_id uuid not null references users,
  action text not null check (char_length(action) <= 40),
  subject_id text check (char_length(subject_id) <= 36),
  -- the title or the beginning of the text at that time
  subject text check (char_length(subject) <= 200),
  -- the person whom it concerns
  person_id uuid references users,
  reason text check (char_length(reason) <= 200),
  created_at timestamptz not null default now()
);
-- Finds the entries about a person, when the account is erased.
create index moderation_log_person on moderation_log (person_id) where person_id is not null;

-- Problems that people report to the operator.
create table bug_reports (
  id bigint generated always as identity primary key,
  -- null for a guest
  user_id uuid references users,
  sender_email text not null check (char_length(sender_email) <= 254),
  topic text not null check (char_length(topic) between 3 and 20),
  text text not null check (char_length(text) between 30 and 1000),
  created_at timestamptz not null default now(),
  done_at timestamptz,
  done_by uuid references users,
  check ((done_at is null) = (done_by is null))
);
-- Lists open reports, newest first.
create index bug_reports_open on bug_reports (id desc) where done_at is null;
-- Lists closed reports, newest first.
create index bug_reports_done on bug_reports (id desc) where done_at is not null;
-- Finds the reports of a person, for exports.
create index bug_reports_user on bug_reports (user_id, id) where user_id is not null;
-- Deletes reports that were closed long ago.
create index bug_reports_settled on bug_reports (done_at) where done_at is not null;
