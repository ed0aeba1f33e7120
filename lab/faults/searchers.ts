/**
 * `searchers.ts ORIGIN CLIENTS SECONDS SEED` runs guests who search without pause. Prints the number of answers by
 * status as JSON.
 */
import { Agent, get } from 'node:http'
import { createRandom } from './experiment.ts'

const [origin = '', clients = '300', seconds = '10', seed = '1'] = process.argv.slice(2)
const LETTERS = 'abcdefghijklmnopqrstuvwxyzабвгдежзиклмнопрст'
const agent = new Agent({ keepAlive: true, maxSockets: Number(clients) })
const random = createRandom(Number(seed))
const until = performance.now() + Number(seconds) * 1000
const statuses: Record<string, number> = {}

function term(): string {
  const letters = Array.from({ length: random.between(1, 4) }, () =>
    LETTERS.charAt(random.between(0, LETTERS.length - 1)),
  )
  return encodeURIComponent(letters.join(''))
}

const PATHS = [
  () => `/api/search/suggest?kind=lesson&q=${term()}`,
  () => `/lesson/all?search=${term()}`,
  () => `/api/lesson/browse?search=${term()}`,
]

function ask(path: string): Promise<string> {
  return new Promise((resolve) => {
    const request = get(`${origin}${path}`, { agent }, (response) => {
      response.resume()
      response.once('end', () => resolve(String(response.statusCode)))
      response.once('error', () => resolve('torn'))
    })
    request.once('error', () => resolve('refused'))
  })
}

async function search(): Promise<void> {
  while (performance.now() < until) {
    const path = PATHS[random.between(0, PATHS.length - 1)]?.() ?? '/'
    const status = await ask(path)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}

await Promise.all(Array.from({ length: Number(clients) }, search))
agent.destroy()
process.stdout.write(`${JSON.stringify(statuses)}\n`)
