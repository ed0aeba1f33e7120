/** Checks the text of a migration against the rules of CONTRIBUTING.md. */
import { IN_BATCHES, OUTSIDE } from '#server/platform/db/migrate.ts'

interface Rule {
  readonly breaks: RegExp
  /** A match makes the statement harmless. */
  readonly unless?: RegExp
  readonly why: string
}

const LOCK_TIMEOUT = /^set local lock_timeout = '[1-5]s'$/
/** For statements on existing tables. */
const IN_A_TRANSACTION: readonly Rule[] = [
  {
    breaks: /\bconcurrently\b/,
    why: `what is done concurrently needs the first line "${OUTSIDE}"`,
  },
  {
    breaks: /^create (?:unique )?index (?!concurrently\b)/,
    why: 'an index of a table that has rows is built concurrently',
  },
  {
    breaks: /\b(?:check\s*\(|foreign key\b|references\b)/,
    unless: /\bnot valid\b/,
    why: 'a constraint is added "not valid", and validated by another file',
  },
  {
    breaks: /\badd (?:constraint \w+ )?(?:unique|primary key)\b/,
    unless: /\busing index\b/,
    why: 'a unique constraint is made of an index that was built concurrently',
  },
  {
    breaks: /\bvalidate constraint\b/,
    why: `validating reads the whole table: it needs the first line "${OUTSIDE}"`,
  },
  {
    breaks: /\balter (?:column )?\w+ (?:set data )?type\b/,
    why: 'another type rewrites the whole table: add a column, fill it in batches',
  },
  {
    breaks: /\bset not null\b/,
    why: 'not null reads the whole table: add a check "not valid", and validate it',
  },
  {
    breaks:
      /\badd (?:column )?(?!constraint\b|column\b).*(?:\bgenerated\b|\b(?:big|small)?serial\b|random\w*\(|clock_timestamp\(|\bunique\b)/s,
    why: 'a column with a value of its own for each row rewrites the whole table',
  },
  {
    breaks: /\brename\b/,
    why: 'the version before this one runs on this schema too, and knows the old name',
  },
  {
    breaks: /^(?:with\b.*\b)?(?:update|delete from|insert into)\b/s,
    why: `rows are changed in batches, in a file with the first line "${OUTSIDE}"`,
  },
]

/** Returns the statements in lower case, one per line, without comments and function bodies. */
function statementsOf(text: string): { sql: string; inBatches: boolean }[] {
  return text
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .split(/;\s*$/m)
    .map((part) => ({
      sql: part.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim().toLowerCase(),
      inBatches: part.split('\n').includes(IN_BATCHES),
    }))
    .filter(({ sql }) => sql !== '')
}

/**
 * Returns the broken rules with their statements. The list is empty for a migration that may run on a busy
 * database.
 */
export function findBreaches(text: string): string[] {
  const statements = statementsOf(text)
  return text.startsWith(OUTSIDE)
    ? statements.flatMap((statement, place) =>
        outsideBreach(
          statement,
          statements.slice(0, place).map(({ sql }) => sql),
        ),
      )
    : insideBreaches(statements.map(({ sql }) => sql))
}

function insideBreaches([first = '', ...others]: readonly string[]): string[] {
  const timeout = LOCK_TIMEOUT.test(first)
    ? []
    : ['it begins with "set local lock_timeout = \'5s\'", or less']
  const created = others.flatMap(
    (sql) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(sql)?.[1] ?? [],
  )
  const onOld = others.filter((sql) => !created.includes(tableOf(sql)))
  const broken = onOld.flatMap((sql) =>
    IN_A_TRANSACTION.filter(
      ({ breaks, unless }) => breaks.test(sql) && unless?.test(sql) !== true,
    ).map(({ why }) => `${why}: ${sql}`),
  )
  return [...timeout, ...broken]
}

/** Returns the table that a statement changes or creates. */
function tableOf(sql: string): string {
  const pattern =
    /^(?:create (?:unlogged )?table (?:if not exists )?|alter table (?:if exists )?(?:only )?|create (?:unique )?index (?:if not exists )?\w+ on |insert into |update |delete from )(\w+)/
  return pattern.exec(sql)?.[1] ?? ''
}

function outsideBreach(
  { sql, inBatches }: { sql: string; inBatches: boolean },
  before: readonly string[],
): string[] {
  if (/^drop index concurrently if exists \w+$/.test(sql)) return []
  if (/^alter table \w+ validate constraint \w+$/.test(sql)) return []
  const [, index] = /^create (?:unique )?index concurrently (\w+) on\b/.exec(sql) ?? []
  if (index !== undefined) {
    return before.includes(`drop index concurrently if exists ${index}`)
      ? []
      : [`a half-built index of a start that was cut short is dropped before: ${sql}`]
  }
  if (/^(?:with\b.*\b)?(?:update|delete from|insert into)\b/s.test(sql)) {
    return inBatches && /\blimit \d+/.test(sql)
      ? []
      : [`it needs a limit, and the line "${IN_BATCHES}" above it: ${sql}`]
  }
  return [`outside a transaction stands only what can't be inside: ${sql}`]
}
