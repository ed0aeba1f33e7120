-- Who writes an upload in pieces at the moment: one request, on whichever node. It renews its time while it writes; when
-- it died, the time runs out by itself. Who waits for it says so, because its client may be gone without a word.
set local lock_timeout = '5s';

alter table uploads
  add column holder text,
  add column held_until timestamptz,
  add column is_wanted boolean not null default false;
