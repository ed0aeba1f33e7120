set local lock_timeout = '5s';

-- Captions of lessons, and offers of captions by people who unlocked a lesson.

create table lesson_captions (
  lesson_id bigint not null references lessons,
  language text not null check (language ~ '^[a-z]{2}$'),
  -- [{"from": 1.5, "to": 3, "text": "…"}], in order
  cues jsonb not null,
  -- the stems of the spoken words, each once, without stop words; never part of the dictionary
  stems text[] not null,
  changed_at timestamptz not null,
  primary key (lesson_id, language)
);
-- Lists lessons with captions in a language.
create index lesson_captions_language on lesson_captions (language, lesson_id);
-- Finds lessons in which words are spoken.
create index lesson_captions_stems on lesson_captions using gin (stems) with (fastupdate = off);

create table caption_offers (
  id bigint generated always as identity primary key,
  lesson_id bigint not null references lessons,
  language text not null check (language ~ '^[a-z]{2}$'),
  -- null after the account was erased
  user_id uuid references users,
  -- empty after a decision
  cues jsonb not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  accepted boolean,
  answer text check (char_length(answer) <= 300),
  -- points paid
  amount integer not null default 0 check (amount >= 0),
  check (num_nonnulls(decided_at, accepted) in (0, 2)),
  check (amount = 0 or accepted)
);
-- Lists the open offers for a lesson; a person has one for a language.
create unique index caption_offers_open on caption_offers (lesson_id, user_id, language) where decided_at is null;
-- Pays once for a lesson and language.
create unique index caption_offers_paid on caption_offers (lesson_id, language) where amount > 0;
-- Finds the offers of a person, for limits, exports and erasure.
create index caption_offers_user on caption_offers (user_id, id);
-- Deletes the offers of a deleted lesson.
create index caption_offers_lesson on caption_offers (lesson_id);
