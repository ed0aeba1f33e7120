/** `npm run seed` fills a database with any number of people, lessons, sales and texts. */
import { randomBytes } from 'node:crypto'
import { hashPassword } from '#server/people/accounts/passwords.ts'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openClient, openPool } from '#server/platform/db/pool.ts'
import { DatabaseError, openDatabase } from '#server/platform/db/settings.ts'
import { readConfig } from '#server/kernel/config.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { createLog } from '#server/kernel/log.ts'
import { readArguments } from '#scripts/arguments.mjs'
import type { Sizes } from '#scripts/seed/content.ts'
import { fillSeed } from '#scripts/seed/fill.ts'
import { createProgress } from '#scripts/seed/progress.ts'
import { nameOf } from '#scripts/seed/row.ts'
import { Failure, run } from '#scripts/status.mjs'

const HELP = `npm run seed -- [options] fills the database of DATABASE_URL, or the embedded one in DATA_DIR, for trying the
product at size. It takes a database without lessons.

  --lessons N     (1000); a course of six to each author of ten
  --users N       (200)
  --purchases N   of lessons (5000); besides a twentieth of them of courses
  --likes N       (as many as purchases)
  --comments N    (3000)
  --messages N    (5000), ten to a conversation
  --seed N        another content (1); the same number gives the same rows
  --add           to what is there: slower, since indexes and keys stay in use

Each person buys and likes a lesson at most once and none of their own; half of the people bought and liked the first
lesson. Where that leaves fewer purchases than were asked for, so many are made. Balances are the sums of their entries,
and the numbers on cards and of unread messages are right. There are no pictures, drafts, notices or views by day, and
no rewards for creating.

All of it is one transaction. Ctrl-C, a crash or a full disk leave the database as it was; what they wrote until
then takes room until the next vacuum. While it runs others can read only with --add, and nobody can write.
`
const LEAST = { lessons: 10, users: 10, purchases: 0, likes: 0, comments: 0, messages: 0, seed: 0 }
const MOST = 100_000_000

const say = (line: string) => void process.stdout.write(`${line}\n`)

function readWords() {
  return readArguments(HELP, {
    options: {
      lessons: { type: 'string', default: '1000' },
      users: { type: 'string', default: '200' },
      purchases: { type: 'string', default: '5000' },
      likes: { type: 'string' },
      comments: { type: 'string', default: '3000' },
      messages: { type: 'string', default: '5000' },
      seed: { type: 'string', default: '1' },
      add: { type: 'boolean', default: false },
    },
  }).values
}

function readSizes(words: ReturnType<typeof readWords>): Sizes {
  const read = (name: keyof typeof LEAST): number => {
    const text = words[name] ?? words.purchases
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= LEAST[name] && value <= MOST) return value
    throw new Failure(
      `--${name} is "${text}": it must be a whole number from ${LEAST[name]} to ${MOST}.`,
    )
  }
  return {
    lessons: read('lessons'),
    users: read('users'),
    purchases: read('purchases'),
    likes: read('likes'),
    comments: read('comments'),
    messages: read('messages'),
    seed: read('seed'),
  }
}

async function seed(sizes: Sizes, isAdded: boolean): Promise<void> {
  const database = await openDatabase(readConfig(process.env), say)
  const log = createLog('silent')
  try {
    if (database.usedBy !== null)
      throw new Failure(
        `Process ${database.usedBy} serves this data directory: stop it first, since nobody could write meanwhile.`,
      )
    const pool = openPool(database.direct, log, { work: 'migrations', size: 1 })
    await migrate(pool).finally(() => pool.end())
    const client = await openClient(database.direct, log, 'migrations')
    let isStopped = false
    const stop = () => {
      isStopped = true
      // The server rolls the transaction back when the connection is lost.
      client.connection.stream.destroy()
    }
    process.once('SIGINT', stop).once('SIGTERM', stop)
    try {
      const password = randomBytes(9).toString('base64url')
      const passwordHash = await hashPassword(password, 'seed')
      const hear = createProgress(say)
      const { firstPerson } = await fillSeed({ client, passwordHash, isAdded, hear }, sizes)
      say(
        `Sign in as ${nameOf(firstPerson)} with the password ${password}, which is that of all who were added.`,
      )
    } catch (error) {
      if (isStopped) throw new Failure('Stopped: the database is as it was.')
      throw error
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      if (!isStopped) await client.end()
    }
  } finally {
    await database.stop()
  }
}

const SENTENCES = [ConfigError, DatabaseError, EmbeddedFailure]

await run(async () => {
  const words = readWords()
  try {
    await seed(readSizes(words), words.add)
  } catch (error) {
    const isKnown = SENTENCES.some((kind) => error instanceof kind)
    throw isKnown && error instanceof Error ? new Failure(error.message) : error
  }
})
