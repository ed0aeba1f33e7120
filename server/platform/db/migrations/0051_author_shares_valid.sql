-- outside a transaction
-- Apart from the columns, so that purchases go on while every row is looked at.
alter table lesson_purchases validate constraint lesson_purchases_share;
alter table course_purchases validate constraint course_purchases_share;
