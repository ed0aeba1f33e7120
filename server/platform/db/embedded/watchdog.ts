import { spawn } from 'node:child_process'

/**
 * Waits for the end of its standard input, which comes when our process ends in any way, even by kill -9. Then
 * stops the server that uses our socket directory and removes that directory.
 */
const SCRIPT = `
cluster=$1 sockets=$2
while read -r line; do :; done
server() { pid=$(sed -n 1p "$cluster/postmaster.pid") && [ "$(sed -n 5p "$cluster/postmaster.pid")" = "$sockets" ]; }
tries=0
until server || [ $tries -ge 20 ]; do sleep 0.1; tries=$((tries + 1)); [ -d "$sockets" ] || exit 0; done
if server; then
  kill -INT "$pid"
  tries=0
  while server && kill -0 "$pid" && [ $tries -lt 80 ]; do sleep 0.1; tries=$((tries + 1)); done
  server && kill -QUIT "$pid"
fi
rm -rf "$sockets"
`

/**
 * Starts a small shell process that stops the embedded server after this process has ended, however it ended.
 * `end` triggers that now.
 */
export function startWatchdog(cluster: string, socketDir: string): { end(): void } {
  // Uses its own process group: Ctrl-C in the terminal must not end it before us.
  const watchdog = spawn('sh', ['-c', SCRIPT, 'bazaar-watchdog', cluster, socketDir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.on('error', () => {})
  watchdog.stdin.on('error', () => {})
  watchdog.unref()
  if ('unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') {
    watchdog.stdin.unref()
  }
  return { end: () => watchdog.stdin.end() }
}
