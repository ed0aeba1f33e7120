set local lock_timeout = '5s';

-- A language is a file of texts, so the database only knows what the name of one looks like. The former constraints
-- already allowed less, so no row has to be checked.
alter table users drop constraint users_locale_check,
  add constraint users_locale_check check (locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$') not valid;
alter table mails drop constraint mails_locale_check,
  add constraint mails_locale_check check (locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$') not valid;
