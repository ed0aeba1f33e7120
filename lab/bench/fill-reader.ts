/** Somebody who bought and discusses lessons: what the calls and pages of a signed-in person meet. */
import type pg from 'pg'
import { fillBuyers, type Buyer } from './fill.ts'

const COMMENTS = 60

/** A person who bought the lessons 1..lessons, on each of which 60 comments stand. */
export async function fillReader(client: pg.Client, lessons: number): Promise<Buyer> {
  const [reader] = await fillBuyers(client, 1, 'reader')
  if (reader === undefined) throw new Error('no reader was made')
  await client.query(
    `insert into lesson_purchases (user_id, lesson_id, price) select $1, n, 100 from generate_series(1, $2::int) n`,
    [reader.userId, lessons],
  )
  await client.query(
    `insert into comments (lesson_id, user_id, text)
     select n, md5('author' || (1 + (n * 31 + m) % 500))::uuid, 'What somebody had to say about it, number ' || m
     from generate_series(1, $1::int) n, generate_series(1, ${COMMENTS}) m`,
    [lessons],
  )
  await client.query('vacuum (analyze) lesson_purchases, comments')
  return reader
}
