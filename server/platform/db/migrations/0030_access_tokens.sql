set local lock_timeout = '5s';

-- personal access tokens, which programs use in the place of a session; a revoked one is deleted
create table access_tokens (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  name text not null check (char_length(name) between 1 and 60),
  -- SHA-256 of the token, which finds it at each request
  hash bytea not null unique,
  scopes text[] not null
    check (scopes <@ array['read', 'write', 'chat', 'admin'] and cardinality(scopes) between 1 and 4),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- to the minute
  last_used_at timestamptz
);
-- those of a person, for their list and for erasing the account
create index access_tokens_user on access_tokens (user_id);
