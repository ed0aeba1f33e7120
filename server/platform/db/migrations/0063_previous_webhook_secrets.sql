set local lock_timeout = '5s';

-- the secret before the present one, which signs too until then
alter table webhook_endpoints add column previous_sealed_secret bytea;
alter table webhook_endpoints add column previous_until timestamptz;
