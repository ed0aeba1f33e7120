set local lock_timeout = '5s';

-- who finished which course, as it was then: a certificate stays when the course changes or goes
create table certificates (
  -- also its place in the list of those that hold no longer
  id bigint generated always as identity primary key,
  -- 128 bits, of which its address is made
  code text not null unique,
  -- null: their account was erased
  user_id uuid references users,
  course_id bigint not null references courses,
  -- null: the account of who made the course was erased
  author_id uuid references users,
  -- of the person, as they typed it; empty once withdrawn
  name text not null,
  course_title text not null,
  course_description text not null,
  -- titles, in their order
  lessons text[] not null,
  -- of who made the course, as it was then
  author_name text not null,
  -- search engines may find it
  listed boolean not null default false,
  issued_at timestamptz not null,
  withdrawn_at timestamptz,
  revoked_at timestamptz,
  check (withdrawn_at is null or (name = '' and not listed)),
  check (user_id is not null or withdrawn_at is not null)
);

-- a person has one of a course; a withdrawn one makes room, a revoked one does not
create unique index certificates_once on certificates (user_id, course_id) where withdrawn_at is null;
-- a person's own, the newest first; and how often they took one of a course
create index certificates_newest on certificates (user_id, id desc);
-- those of an author whose account is erased
create index certificates_author on certificates (author_id) where author_id is not null;
-- those that hold no longer, which the list of them names
create index certificates_ended on certificates (id) where withdrawn_at is not null or revoked_at is not null;

-- keys that certificates are signed with; of those that were replaced the public half stays, to verify what they signed
create table certificate_keys (
  id bigint generated always as identity primary key,
  kid text not null unique,
  -- Ed25519, base64url
  public_half text not null,
  -- the private half, sealed with AUTH_SECRETS; gone once it was replaced
  sealed bytea,
  created_at timestamptz not null,
  replaced_at timestamptz,
  check ((sealed is null) = (replaced_at is not null))
);

-- one signs
create unique index certificate_keys_signing on certificate_keys ((true)) where replaced_at is null;
