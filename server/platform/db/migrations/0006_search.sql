set local lock_timeout = '5s';

-- The search by words. A job reads the folded words of each item; a query looks its own words up in the dictionary,
-- with other forms, beginnings and similar spellings.
-- The functions have SQL bodies that are parsed at creation, because a restore builds the index of stems with an
-- empty search_path.

-- Returns the stem of a folded Bulgarian word (folding makes й and и one letter), after J. Savoy, "Searching strategies
-- for the Bulgarian language" (2007). Removes the endings of verbs and verbal nouns, then the article, the plural and
-- the last vowel, then a vowel that other forms drop. к and ц, and г and з, alternate in plurals and become one.
create function bulgarian_stem(word text) returns text language sql immutable strict parallel safe
return (
  with verbless as (
    select regexp_replace(word,
      '(?<=.{3})(([уяа]ва(не|нето|ния|нията|м|ш|ме|те|т|и|ите|л|ла|ло|ли|х|ха)?)|([аея]не(то)?)|((?<=.{4})[ая]ме?))$',
      '') as w
  ), articleless as (
    select regexp_replace(w, '(?<=.{3})(ът|ят)$|(?<=.{4})(та|то|те)$', '') as w from verbless
  ), singular as (
    select regexp_replace(w, '(?<=.{3})(ове|ища)$|(?<=.{4})та$', '') as w from articleless
  ), bare as (
    select regexp_replace(w, '(?<=.{3})[аеиоя]{1,2}$', '') as w from singular
  ), closed as (
    select regexp_replace(w, '(?<=.{2})[ъе](?=[клмнр]$)', '') as w from bare
  )
  select left(w, -1) || translate(right(w, 1), 'кг', 'цз') from closed
);

-- Returns the stem of a folded word: Bulgarian rules for Cyrillic letters, PostgreSQL's English dictionary for Latin
-- ones.
create function word_stem(word text) returns text language sql immutable strict parallel safe
return case
  when word ~ '^[а-я]{4,}$' then bulgarian_stem(word)
  when word ~ '^[a-z]+$' then coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word)
  else word
end;

-- Returns true for folded words that say nothing about the topic of a text.
create function is_stop_word(word text) returns boolean language sql immutable strict parallel safe
return coalesce(ts_lexize('pg_catalog.english_stem', word) = '{}', false) or word = any(array[
  'а', 'ако', 'без', 'бе', 'беше', 'бъде', 'в', 'ви', 'вие', 'все', 'всеки', 'всички', 'във', 'ги', 'го', 'да', 'до',
  'други', 'е', 'един', 'една', 'едно', 'за', 'защо', 'и', 'из', 'или', 'им', 'как', 'каква', 'какво', 'какъв', 'като',
  'кога', 'когато', 'което', 'кои', 'които', 'кое', 'коя', 'която', 'къде', 'към', 'ли', 'ме', 'между', 'ми', 'му', 'на',
  'над', 'наи', 'нас', 'не', 'него', 'неи', 'ни', 'ние', 'но', 'о', 'от', 'още', 'по', 'под', 'после', 'при', 'през',
  'преди', 'с', 'са', 'само', 'се', 'си', 'след', 'сме', 'според', 'срещу', 'със', 'съм', 'тази', 'така', 'такъв', 'те',
  'тези', 'ти', 'то', 'това', 'тоз', 'тои', 'този', 'тя', 'у', 'че', 'ще', 'що', 'я'
]);

-- The dictionary: every word of any item, once.
-- Its GIN indexes and those of the items have fastupdate off. A job writes them, so nobody waits for it; otherwise up
-- to 4 MB of new entries would wait in a list that each search reads from end to end.
create table search_words (
  word text primary key check (char_length(word) between 1 and 40)
);
-- Finds words of similar spelling.
create index search_words_similar on search_words using gin (word gin_trgm_ops) with (fastupdate = off);
-- Finds words that begin with a term.
create index search_words_prefix on search_words (word text_pattern_ops);
-- Finds the other forms of a word.
create index search_words_stem on search_words (word_stem(word));

-- The words of a lesson's title, tags, description and opening, each once.
create table lesson_words (
  lesson_id bigint primary key references lessons,
  words text[] not null
);
-- Finds lessons with any of some words.
create index lesson_words_search on lesson_words using gin (words) with (fastupdate = off);

-- The words of a course's title and description, each once.
create table course_words (
  course_id bigint primary key references courses,
  words text[] not null
);
-- Finds courses with any of some words.
create index course_words_search on course_words using gin (words) with (fastupdate = off);

-- Items whose words a job has to read again.
create table search_due (
  kind text not null check (kind in ('lesson', 'course')),
  item_id bigint not null,
  primary key (kind, item_id)
);
