set local lock_timeout = '5s';

-- when it is looked at next, and removed if nothing shows it; those from before are due soon, and get what they lack
alter table pictures add column look_at timestamptz not null default now() + interval '15 minutes';
-- of all its files; 0 until it was looked at
alter table pictures add column bytes bigint not null default 0 check (bytes >= 0);
