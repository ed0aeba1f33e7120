/**
 * Checks the raw statements of a program: PostgreSQL must accept each, and its columns must have the names and types
 * that the code declares for its rows. Statements of Kysely's builder are typed by types.gen.ts.
 */
import { relative } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { API } from 'typescript/unstable/sync'
import { compare, createDescribe } from '#scripts/statements/columns.ts'
import { findStatements } from '#scripts/statements/find.ts'

/** The types allow lists of courses by views, which only lessons have. */
const isImpossible = (error: string, text: string) =>
  error.includes('column i.views does not exist') && text.includes(' courses i ')

export interface Checked {
  readonly statements: number
  readonly mistakes: readonly string[]
}

/**
 * Reads the sources of a project without its tests. Executes only statements that create temporary tables.
 * @param project a tsconfig.json
 */
export async function checkStatements(
  pool: pg.Pool,
  { root, project }: { readonly root: string; readonly project: string },
): Promise<Checked> {
  const api = new API({ cwd: root })
  const client = await pool.connect()
  try {
    const [opened] = api.updateSnapshot({ openProjects: [project] }).getProjects()
    if (opened === undefined) throw new Error(`${project} can't be read`)
    const { rootFiles, program, checker } = opened
    const sources = rootFiles
      .filter((file) => !/\.test\.ts$|\/testing\/|\.json$/.test(file))
      .map((file) => program.getSourceFile(file))
      .filter((source) => source !== undefined)
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    const statements = findStatements(sources, { checker, db })
    for (const { texts } of statements)
      for (const text of texts)
        if (/^\s*create temporary table/.test(text)) await client.query(text)
    const describe = await createDescribe(client)
    const mistakes = new Set<string>()
    for (const { file, line, texts, row } of statements) {
      const place = `${relative(root, file)}:${line}`
      if (texts.size === 0) mistakes.add(`${place} has a fragment that can't be followed`)
      for (const text of texts) {
        const columns = await describe(text).catch(String)
        if (typeof columns === 'string') {
          if (!isImpossible(columns, text)) mistakes.add(`${place} ${columns}\n${text}`)
        } else if (row)
          for (const mistake of compare(checker, row, { text, columns }))
            mistakes.add(`${place} ${mistake}`)
      }
    }
    return { statements: statements.length, mistakes: [...mistakes] }
  } finally {
    client.release()
    api.close()
  }
}
