set local lock_timeout = '5s';

-- who a person is at a provider of OpenID Connect
create table identities (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  issuer text not null,
  subject text not null,
  -- what the provider calls them: an address, else a name
  label text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  unique (issuer, subject)
);
-- those of a person
create index identities_user on identities (user_id, id);

-- sign-ins by a provider that are under way; each is its browser's, whose cookie it is found by
create table oidc_flows (
  -- SHA-256 of what the cookie holds
  id bytea primary key,
  issuer text not null,
  -- whose account another identity is added to; null: somebody signs in
  user_id uuid references users,
  session_id uuid,
  nonce text not null,
  verifier text not null,
  -- where the person goes on to
  next text not null,
  -- when the browser came back, which it may once
  returned_at timestamptz,
  -- as the provider told, until the person has said what to do with it
  subject text,
  email text,
  email_verified boolean,
  label text,
  suggested text,
  expires_at timestamptz not null
);
-- those whose time is over
create index oidc_flows_expires on oidc_flows (expires_at);
-- those of who erases the account
create index oidc_flows_user on oidc_flows (user_id) where user_id is not null;
