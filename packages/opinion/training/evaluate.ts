/**
 * `npm run opinion:evaluate` judges the held-out comments and prints the quality. It shows no single comment, so
 * that nobody tunes the model to them.
 */
import { arch, cpus, platform } from 'node:os'
import { readFolder } from './corpus.ts'
import { describeCalibration, describeFigures, measure } from './measure.ts'
import { MODEL_FILE } from '../src/paths.ts'
import { readOptions } from './options.ts'
import { EVALUATION } from './paths.ts'

const WARM_UP = 200

readOptions(
  'npm run opinion:evaluate   judges the comments that were held back from training and prints how well. No options.',
)
const before = process.memoryUsage().rss
const begin = performance.now()
const { judge } = await import('../src/index.ts')
const loading = performance.now() - begin
const memory = (process.memoryUsage().rss - before) / 2 ** 20

const comments = readFolder(EVALUATION)
for (const { text } of comments.slice(0, WARM_UP)) judge(text)
const times: number[] = []
const idle = process.cpuUsage()
const judged = comments.map((comment) => {
  const start = performance.now()
  const { label, confidence } = judge(comment.text)
  times.push(performance.now() - start)
  return { comment, label, confidence }
})
const { user, system } = process.cpuUsage(idle)
const work = ((user + system) / 1_000 / comments.length).toFixed(2)
const sorted = times.toSorted((one, other) => one - other)
const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2)

for (const language of ['en', 'bg'] as const) {
  const some = judged.filter(({ comment }) => comment.language === language)
  console.log(`${describeFigures(language, measure(some))}\n`)
}
console.log(`${describeCalibration(judged)}\n`)
console.log(
  `A comment: median ${at(0.5)} ms, p95 ${at(0.95)} ms, processor time ${work} ms. Loading ${MODEL_FILE.split('/').at(-1)}: ${loading.toFixed(0)} ms, ${memory.toFixed(0)} MB.`,
)
console.log(
  `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim()}`,
)
