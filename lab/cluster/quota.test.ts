import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { limitProcessor } from './quota.ts'

const NAME = `kbtest-${process.pid}`

function isPermitted(): boolean {
  try {
    accessSync('/sys/fs/cgroup/cpu/cpu.cfs_quota_us', constants.W_OK)
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

test('limiting a process that does not exist leaves no group behind', () => {
  expect(() => limitProcessor(NAME, 2 ** 22 + 1, 0.2)).toThrow()
  expect(existsSync(`/sys/fs/cgroup/cpu/${NAME}`)).toBe(false)
})

test.skipIf(!isPermitted())(
  'a limited process uses its share of the CPU, and more after the limit is removed',
  async () => {
    const child = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const pid = child.pid ?? 0
    const usedMs = () => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10
    }
    await sleep(300)
    const quota = limitProcessor(NAME, pid, 0.2)
    const before = usedMs()
    await sleep(1500)
    expect(usedMs() - before).toBeLessThan(450)
    quota.release()
    expect(existsSync(`/sys/fs/cgroup/cpu/${NAME}`)).toBe(false)
  },
)
