set local lock_timeout = '5s';

create table pictures (
  id bigint generated always as identity primary key,
  owner_id uuid references users,
  -- content hash; the name in storage and in the address
  key text not null check (key ~ '^[0-9a-f]{40}$'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- average colour, #rrggbb, shown until the picture has loaded
  placeholder text not null check (placeholder ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null default now()
);
-- the same picture uploaded again; whether a stored file is still used
create index pictures_key on pictures (key);
alter table users add constraint users_picture foreign key (picture_id) references pictures;

-- resources; unattached ones are deleted after 24 h
create table uploads (
  id uuid primary key,
  owner_id uuid not null references users,
  name text not null check (char_length(name) between 1 and 255),
  -- bytes; what was announced, until it is finished
  size bigint not null check (size between 1 and 52428800),
  -- null while no lesson names it
  lesson_id bigint,
  finished_at timestamptz,
  created_at timestamptz not null default now()
);
-- a person's quota
create index uploads_owner on uploads (owner_id);
-- the job that clears unattached uploads
create index uploads_unattached on uploads (created_at) where lesson_id is null;
-- the files of a lesson that goes
create index uploads_lesson on uploads (lesson_id) where lesson_id is not null;
