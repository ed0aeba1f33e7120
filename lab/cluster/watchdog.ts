/** Removes everything of a cluster, however the process that started it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Environment variable of every process of a cluster. Its value is the cluster's folder. */
export const MARK = 'KB_CLUSTER'

/**
 * Waits for the end of stdin, which occurs however this process ends, even by kill -9. Then it kills every process
 * with the mark or in the cluster's folder (a database server clears its environment), and removes namespaces,
 * bridge, control groups and folder.
 */
const SCRIPT = `
folder=$1 mark=$2
while read -r line; do :; done
sweep() {
  found=1
  for each in /proc/[0-9]*; do
    pid=\${each#/proc/}
    [ "$pid" = "$$" ] && continue
    case "$(readlink "$each/cwd" 2>/dev/null)" in
      "$folder" | "$folder"/*) ;;
      *) grep -qzxF "${MARK}=$folder" "$each/environ" 2>/dev/null || continue ;;
    esac
    kill -KILL "$pid" 2>/dev/null && found=0
  done
  return $found
}
tries=0
while sweep && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
if [ -n "$mark" ]; then
  ip netns list | while read -r space rest; do
    case "$space" in "$mark"-*) ip netns del "$space" ;; esac
  done
  ip -o link show type veth | sed -n "s/^[0-9]*: \\($mark"'v[0-9]*\\)@.*/\\1/p' | while read -r device; do ip link del "$device"; done
  ip link del "$mark"
  rmdir /sys/fs/cgroup/cpu/"$mark"-* /sys/fs/cgroup/"$mark"-* 2>/dev/null
fi
rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }
`

export interface Watchdog {
  /** Cleans up immediately. */
  end(): Promise<void>
}

/** `mark` is the prefix of the network's names, or null on loopback. */
export function startWatchdog(folder: string, mark: string | null): Watchdog {
  // A Ctrl-C in the terminal must not end it.
  const watchdog = spawn('sh', ['-c', SCRIPT, 'bazaar-cluster-watchdog', folder, mark ?? ''], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const exited = once(watchdog, 'exit').catch(() => undefined)
  watchdog.stdin.on('error', () => {})
  return {
    end: async () => {
      watchdog.stdin.end()
      await exited
    },
  }
}
