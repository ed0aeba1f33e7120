set local lock_timeout = '5s';

-- who wants to hear of what whom publishes
create table follows (
  -- the order in which followers are told, page by page
  id bigint generated always as identity primary key,
  follower_id uuid not null references users,
  author_id uuid not null references users,
  created_at timestamptz not null,
  unique (follower_id, author_id),
  check (follower_id <> author_id)
);

-- the followers of an author, a page at a time, from one id to the next
create index follows_of_author on follows (author_id, id) include (follower_id);
-- whom a person follows, the newest first
create index follows_newest on follows (follower_id, id desc);

-- how many follow an author, so that a profile counts nothing; who never had a follower has no row
create table follow_counts (
  author_id uuid primary key references users,
  followers integer not null check (followers >= 0)
);
