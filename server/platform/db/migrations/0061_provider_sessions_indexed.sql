-- outside a transaction
drop index concurrently if exists sessions_provider;
-- those whose end a provider tells
create index concurrently sessions_provider on sessions (provider_sid) where provider_sid is not null and revoked_at is null;
