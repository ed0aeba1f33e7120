/** What we use of autocannon, which brings no types. */
declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    duration: number
    overallRate: number
    requests: { method: 'GET'; path: string; headers: Record<string, string> }[]
  }
  interface Result {
    latency: { p50: number; p97_5: number; p99: number; max: number }
    requests: { average: number }
    non2xx: number
    errors: number
    timeouts: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
