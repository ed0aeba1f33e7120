/**
 * Measures the machine's limit for the same work in its own process: node:http that writes a fixed buffer, or
 * node:http and plain pg that run the statements our code compiles and write their rows as JSON.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import type { ReferenceJob } from './reference-job.ts'
import type { Statement } from './statements.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

function writeJson(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  })
  response.end(body)
}

function answerJob(job: ReferenceJob): Answer {
  if (job.kind === 'buffer') {
    const body = Buffer.from(job.body, 'base64')
    return (_, response) => {
      response.writeHead(job.status, job.headers)
      response.end(body)
    }
  }
  const pool = new pg.Pool({ ...job.connection, max: 8 })
  const run = async (statement: Statement, values: readonly unknown[]): Promise<unknown[]> => {
    const { name, text: sql } = statement
    const query = name === null ? { text: sql } : { name, text: sql }
    const { rows } = await pool.query<Record<string, unknown>>({ ...query, values: [...values] })
    return rows
  }
  const work = async (request: IncomingMessage): Promise<unknown> => {
    const asked = Number((request.url ?? '/').slice(1))
    const rows: unknown[] = []
    for (const statement of job.cases[asked] ?? [])
      rows.push(...(await run(statement, statement.values)))
    return rows
  }
  return (request, response) => {
    work(request).then(
      (value) => writeJson(response, value),
      (error: unknown) => {
        response.writeHead(500)
        response.end(String(error))
      },
    )
  }
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const job: ReferenceJob = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const server = createServer(answerJob(job))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(
    `listening ${typeof address === 'object' && address !== null ? address.port : 0}\n`,
  )
})
