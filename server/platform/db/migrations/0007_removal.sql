set local lock_timeout = '5s';

-- Deleted lessons whose share of a sold course is still to be paid to buyers of that course: to those whose
-- purchase comes after `paid_up_to`, up to `last_purchase`. Purchases are paid in the order of their ids.
create table course_shares_due (
  lesson_id bigint not null references lessons,
  course_id bigint not null references courses,
  -- for the buyers' ledgers: the lesson's own contents may be gone before
  lesson_title text not null,
  -- id of the last purchase that held the lesson
  last_purchase bigint not null,
  -- id of the last purchase that got its share
  paid_up_to bigint not null default 0,
  primary key (lesson_id, course_id)
);

-- the buyers of a course in the order of the sales, for shares of its lessons
create index course_purchases_sales on course_purchases (course_id, id);
