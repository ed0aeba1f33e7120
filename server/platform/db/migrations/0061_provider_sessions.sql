set local lock_timeout = '5s';

-- by which provider of OpenID Connect a session was begun, and what that calls its own session: it may tell its end;
-- null for sessions that a password or a passkey began, and for older ones
alter table sessions add column provider_issuer text;
alter table sessions add column provider_sid text;
-- the same of a sign-in under way
alter table oidc_flows add column sid text;
