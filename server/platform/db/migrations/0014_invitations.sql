set local lock_timeout = '5s';

-- Links by which people may register where the door is not open to all.
create table invitations (
  id bigint generated always as identity primary key,
  -- SHA-256 of the token in the link; each registration finds its invitation by it
  hash bytea not null unique,
  inviter_id uuid not null references users,
  uses integer not null check (uses between 1 and 1000),
  used integer not null default 0 check (used between 0 and uses),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  withdrawn_at timestamptz
);
-- Lists the invitations of a person, and deletes those of an erased account.
create index invitations_inviter on invitations (inviter_id);

-- Who registered by which invitation.
create table invited_people (
  user_id uuid primary key references users,
  invitation_id bigint not null references invitations
);
-- Lists who came by an invitation.
create index invited_people_invitation on invited_people (invitation_id);

-- The hash of the invitation that a newcomer had before going to the provider.
alter table oidc_flows add column invitation bytea;
