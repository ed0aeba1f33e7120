-- outside a transaction
-- Reads the table without keeping writers out.
alter table lesson_contents validate constraint lesson_contents_opening;
