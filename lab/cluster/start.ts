/** `npm run cluster` runs the product as on many machines, but on a single one. */
import { readArguments } from '#scripts/arguments.mjs'
import { startCluster } from './cluster.ts'
import { killPart, switchOff, switchOn } from './harm.ts'
import { cutOff, mend } from './network.ts'
import { ensurePackages } from './packages.ts'
import { formatPicture, readPicture } from './picture.ts'
import { ensureBuilt } from '#scripts/build.mjs'
import { Failure, run } from '#scripts/status.mjs'

const HELP = `npm run cluster starts the whole picture on this machine from Debian's packages, in a temporary folder: nginx before
the nodes, workers, PgBouncer and HAProxy before PostgreSQL under Patroni with etcd, Redis with Sentinel, an S3 server
and Prometheus. As root it installs what is missing, and gives each host a network namespace of its own where that is
permitted; else each is an address of the loopback device. Ctrl-C ends it, with its data.

  --nodes N       processes that serve (3)
  --workers N     processes that do jobs (1)
  --databases N   PostgreSQL servers (2)
  --loopback      no network namespaces

From another terminal, to the cluster that runs:
  --show          prints the picture again
  --kill PART     kill -9: a part by its name, primary (the PostgreSQL server that is it now), redis (likewise);
                  it is started again as a service manager does
  --off HOST      takes a host's power and cable; --on HOST gives them back
  --cut A,B       nothing passes between two hosts; --mend A,B undoes it
`
const MOST = 20

const say = (line: string) => void process.stdout.write(`${line}\n`)

function numberOf(name: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= MOST) return value
  throw new Failure(`--${name} is "${text}": it must be a whole number from 1 to ${MOST}.`)
}

function readWords() {
  return readArguments(HELP, {
    options: {
      nodes: { type: 'string', default: '3' },
      workers: { type: 'string', default: '1' },
      databases: { type: 'string', default: '2' },
      loopback: { type: 'boolean', default: false },
      show: { type: 'boolean', default: false },
      kill: { type: 'string' },
      off: { type: 'string' },
      on: { type: 'string' },
      cut: { type: 'string' },
      mend: { type: 'string' },
    },
  }).values
}

type Words = ReturnType<typeof readWords>

/** Harms the running cluster as requested. Returns false without such an option. */
async function harm({ show, kill, off, on, ...cuts }: Words): Promise<boolean> {
  if (show) say(formatPicture(readPicture()))
  else if (kill !== undefined) say(`Killed ${await killPart(readPicture(), kill)}.`)
  else if (off !== undefined) switchOff(readPicture(), off)
  else if (on !== undefined) switchOn(readPicture(), on)
  else if (cuts.cut !== undefined) cutOff(readPicture().network, ...pairOf(cuts.cut))
  else if (cuts.mend !== undefined) mend(readPicture().network, ...pairOf(cuts.mend))
  else return false
  return true
}

function pairOf(text: string): [string, string] {
  const [one, other, more] = text.split(',')
  if (one === undefined || other === undefined || more !== undefined)
    throw new Failure(`"${text}" must be two hosts as in node1,redis1.`)
  return [one, other]
}

async function main(): Promise<void> {
  const words = readWords()
  if (await harm(words)) return
  const options = {
    nodes: numberOf('nodes', words.nodes),
    workers: numberOf('workers', words.workers),
    databases: numberOf('databases', words.databases),
    onLoopback: words.loopback,
    say,
  }
  ensurePackages(say)
  await ensureBuilt(process.execPath)
  let stop: (() => Promise<void>) | null = null
  let isOver = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (isOver) return
      isOver = true
      say('Ending the cluster …')
      void (stop?.() ?? Promise.resolve()).then(() => process.exit(0))
    })
  try {
    const cluster = await startCluster(options, (how) => {
      stop = how
    })
    say(`\n${formatPicture(cluster.picture())}\n\nCtrl-C ends it, with its data.`)
    // Keeps this process alive.
    setInterval(() => undefined, 60_000)
  } catch (error) {
    if (!isOver) throw error
  }
}

await run(main)
