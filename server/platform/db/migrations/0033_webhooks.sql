set local lock_timeout = '5s';

-- addresses of other programs that are told what happens here
create table webhook_endpoints (
  id bigint generated always as identity primary key,
  url text not null check (char_length(url) <= 2000),
  -- of the address; what goes to one host goes one after the other
  host text not null check (char_length(host) <= 255),
  description text not null check (char_length(description) <= 200),
  -- kinds of events that it is told of
  events text[] not null,
  -- the key that signs, encrypted with a key of AUTH_SECRETS
  sealed_secret bytea not null,
  enabled boolean not null,
  -- nothing has arrived there since then; null: the last delivery did
  failing_since timestamptz,
  -- it was switched off by itself
  given_up_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null
);

-- what happened, as it is sent; written in the transaction in which it happened, and only where somebody listens
create table webhook_events (
  id uuid primary key,
  type text not null check (char_length(type) <= 40),
  data jsonb not null,
  -- whom the data name
  people uuid[] not null,
  happened_at timestamptz not null
);
-- the oldest, which are deleted after a month
create index webhook_events_happened on webhook_events (happened_at);
-- those that name a person whose account is erased
create index webhook_events_people on webhook_events using gin (people);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  event_id uuid not null references webhook_events on delete cascade,
  endpoint_id bigint not null references webhook_endpoints on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  attempted_at timestamptz,
  -- of the last attempt: what was answered, how long it took, and why it did not arrive
  status integer,
  took_ms integer,
  answer text check (char_length(answer) <= 500),
  error text check (char_length(error) <= 300)
);
-- the log of an endpoint, newest first
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id desc);
-- what goes with an event
create index webhook_deliveries_event on webhook_deliveries (event_id);
