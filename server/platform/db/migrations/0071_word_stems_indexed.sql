-- outside a transaction
drop index concurrently if exists search_words_stem;
-- the forms of a word
create index concurrently search_words_stem on search_words (word_stem(word));
