-- Stems, so that a search for one form of a word finds the others. Their bodies are bound when they are created: a
-- restore builds the index of stems with an empty search_path.
set local lock_timeout = '5s';

-- The stem of a folded Bulgarian word (folding makes й and и one letter), after J. Savoy, "Searching strategies for the
-- Bulgarian language" (2007). Removes the endings of verbs and verbal nouns, then the article, the plural and the last
-- vowel, then a vowel that other forms drop. к and ц, and г and з, alternate in plurals and become one.
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

-- The stem of a folded word: Bulgarian rules for Cyrillic letters, PostgreSQL's English dictionary for Latin ones.
create function word_stem(word text) returns text language sql immutable strict parallel safe
return case
  when word ~ '^[а-я]{4,}$' then bulgarian_stem(word)
  when word ~ '^[a-z]+$' then coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word)
  else word
end;

-- Folded words that say nothing about what a text is about.
create function is_stop_word(word text) returns boolean language sql immutable strict parallel safe
return coalesce(ts_lexize('pg_catalog.english_stem', word) = '{}', false) or word = any(array[
  'а', 'ако', 'без', 'бе', 'беше', 'бъде', 'в', 'ви', 'вие', 'все', 'всеки', 'всички', 'във', 'ги', 'го', 'да', 'до',
  'други', 'е', 'един', 'една', 'едно', 'за', 'защо', 'и', 'из', 'или', 'им', 'как', 'каква', 'какво', 'какъв', 'като',
  'кога', 'когато', 'което', 'кои', 'които', 'кое', 'коя', 'която', 'къде', 'към', 'ли', 'ме', 'между', 'ми', 'му', 'на',
  'над', 'наи', 'нас', 'не', 'него', 'неи', 'ни', 'ние', 'но', 'о', 'от', 'още', 'по', 'под', 'после', 'при', 'през',
  'преди', 'с', 'са', 'само', 'се', 'си', 'след', 'сме', 'според', 'срещу', 'със', 'съм', 'тази', 'така', 'такъв', 'те',
  'тези', 'ти', 'то', 'това', 'тоз', 'тои', 'този', 'тя', 'у', 'че', 'ще', 'що', 'я'
]);
