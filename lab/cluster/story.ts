/** What people do with the product, through the balancer, seen from every node. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Outcome } from '#lab/faults/experiment.ts'
import { call, register, type Person } from '#lab/faults/people.ts'
import { lessonForm } from '#server/testing/app.ts'
import { databaseAddresses } from './parts/pgbouncer.ts'
import { becomeWhole, type ClusterExperiment, type Scene } from './scene.ts'

const SEEN_MS = 1000
const MOST_MS = 20_000
const FILE = 'what people learn from\n'.repeat(10_000)

const run = promisify(execFile)

export const story: ClusterExperiment = {
  name: 'story',
  about: 'register, publish, upload, buy, chat, edit, suspend, delete, seen from every node',
  tries: 3,
  run: async (scene) => {
    await becomeWhole(scene)
    const tales: Tale[] = []
    for (let turn = 0; turn < scene.tries; turn += 1) tales.push(await tell(scene))
    const kinds = ['edited', 'suspended', 'deleted'] as const
    const seen = kinds.map((kind) => {
      const times = tales.map((tale) => tale.seen[kind]).toSorted((one, other) => one - other)
      return `${kind} seen by all after ${Math.round(times.at(-1) ?? 0)} ms at most`
    })
    const late = kinds.filter((kind) => tales.some((tale) => tale.seen[kind] > SEEN_MS))
    const outcome: Outcome = {
      fault: story.about,
      tries: tales.length,
      acknowledged: tales.reduce((sum, { acts }) => sum + acts, 0),
      lost: 0,
      doubled: 0,
      died: 0,
      recoveryMs: [],
      note: seen.join(', '),
      breaches: [
        ...tales.flatMap(({ wrong }) => wrong),
        ...late.map((kind) => `${kind} was seen later than ${SEEN_MS} ms`),
      ],
    }
    return [outcome]
  },
}

interface Tale {
  readonly acts: number
  /** Milliseconds from the answer until the last node knows. */
  readonly seen: Readonly<Record<'edited' | 'suspended' | 'deleted', number>>
  readonly wrong: readonly string[]
}

/** One telling of it. It is long because it is a story; each act is a few lines. @throws Error at the first act that is refused */
async function tell(scene: Scene): Promise<Tale> {
  const { url } = scene.cluster
  const nodes = [...scene.cluster.parts.values()]
    .filter(({ plan }) => /^node\d+$/.test(plan.name))
    .map(({ plan }) => plan.address)
  const wrong: string[] = []
  let acts = 0
  const act = async (
    what: string,
    person: Person,
    method: string,
    path: string,
    more: Readonly<{ json?: unknown; form?: FormData }> = {},
  ) => {
    const { status, body } = await call(url, person, method, path, more)
    if (status >= 300) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`)
    acts += 1
    return body
  }
  const [ann, bob, admin] = [await register(url), await register(url), await register(url)]

  const file = new FormData()
  file.set('file', new File([FILE], 'notes.txt', { type: 'text/plain' }))
  const { url: resources } = (await act('upload', ann, 'POST', '/upload/resource', {
    form: file,
  })) as { url: string }
  const { id } = (await act('publish', ann, 'POST', '/lesson/create', {
    form: await lessonForm({ title: 'Before', resources, draftId: randomUUID() }),
  })) as { id: number }
  await act('buy', bob, 'POST', `/lesson/buy/${id}`)
  for (const node of nodes) {
    if ((await download(node, bob, resources)) !== FILE) wrong.push('a file differs at a node')
    const twice = await call(node, bob, 'POST', `/lesson/buy/${id}`)
    if (twice.status !== 409) wrong.push(`buying again answered ${twice.status}`)
  }
  const json = { text: 'Thank you', receiverUsername: ann.username, draftId: randomUUID() }
  await act('chat', bob, 'POST', '/message/create', { json })
  await act('chat again', bob, 'POST', '/message/create', { json })
  for (const node of nodes) {
    const { body } = await call(node, ann, 'GET', `/message/all/${bob.username}`)
    const count = Array.isArray(body) ? body.length : 0
    if (count !== 1) wrong.push(`${count} messages instead of one at a node`)
  }

  const page = `/lesson/details/${id}`
  // Rendered and in the cache of every node.
  for (const node of [...nodes, ...nodes]) await read(`${node}${page}`)
  await act('edit', ann, 'PATCH', `/lesson/${id}`, { form: formOf({ title: 'Afterwards' }) })
  const edited = await seenByAll(nodes, async (node) =>
    (await read(`${node}${page}`)).text.includes('Afterwards'),
  )
  await makeAdministrator(scene, admin)
  const reason = { json: { reason: 'For the story.' } }
  await act('suspend', admin, 'POST', `/admin/suspend/${bob.id}`, reason)
  const suspended = await seenByAll(nodes, async (node) => {
    const { status } = await call(node, bob, 'POST', `/lesson/like/${id}`)
    return status === 403
  })
  for (const node of nodes) await read(`${node}${page}`)
  await act('delete', ann, 'DELETE', `/lesson/${id}`)
  const deleted = await seenByAll(
    nodes,
    async (node) => (await read(`${node}${page}`)).status === 404,
  )
  return { acts, seen: { edited, suspended, deleted }, wrong }
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

async function read(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(MOST_MS) })
  return { status: answer.status, text: await answer.text() }
}

async function download(node: string, person: Person, path: string): Promise<string> {
  const answer = await fetch(`${node}${path}`, {
    headers: { authorization: `Bearer ${person.accessToken}` },
    signal: AbortSignal.timeout(MOST_MS),
  })
  return answer.text()
}

/** Milliseconds until each node has said yes once. @throws Error when one does not in time */
async function seenByAll(
  nodes: readonly string[],
  asks: (node: string) => Promise<boolean>,
): Promise<number> {
  const begun = performance.now()
  await Promise.all(
    nodes.map(async (node) => {
      while (!(await asks(node))) {
        if (performance.now() - begun > MOST_MS) throw new Error('a node never saw it')
        await sleep(20)
      }
    }),
  )
  return performance.now() - begun
}

async function makeAdministrator({ cluster }: Scene, { username }: Person): Promise<void> {
  const plan = cluster.parts.get('node1')?.plan
  const [node = ''] = plan?.command ?? []
  await run(node, ['scripts/admin.ts', 'grant', username], {
    env: {
      ...process.env,
      ...plan?.environment,
      DATABASE_URL: databaseAddresses(cluster.site).direct,
    },
  })
}
