/** Detects personal data in logs: e-mail addresses, tokens, cookies, passwords and texts that people wrote. */
import { TOKEN_PREFIX } from '#contract/access-tokens.ts'

const SECRETS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['the address of a mailbox', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/],
  ['a signed token', /\beyJ[\w-]{8,}\.[\w-]+/],
  ['an access token', new RegExp(`\\b${TOKEN_PREFIX}[\\w-]{8,}`)],
  ['a header of authorization', /\bBearer [\w.~+/-]{8,}/],
  ['a session’s cookie', /\brefresh(?:Token)?=[\w.-]{16,}/i],
  // The format used by `signUp` in app.ts and `newPerson` in the browser tests.
  ['a password', /\bsecret of \S/],
  // Descriptions and articles of test lessons. The judge doesn't see the requests sent to another process.
  ['what somebody wrote', /What one learns in |\bw\d+x\d+ w\d+x\d+/],
]

/** Shorter texts may be names and words that a line contains by chance. */
const SHORTEST_TEXT = 12
/** Only the most recent texts are compared. */
const MOST_TEXTS = 200

/** Checks the lines of one server against the texts sent to it. */
export interface LogJudge {
  /** Records all texts of a form or JSON value. */
  hear(sent: unknown): void
  write(line: string): void
  /** The findings, with their lines. */
  readonly leaks: readonly string[]
}

export function createLogJudge(): LogJudge {
  const texts = new Set<string>()
  const leaks: string[] = []
  const remember = (text: string) => {
    // Only sentences, because a line may contain a name.
    if (text.length < SHORTEST_TEXT || !/\S\s+\S/.test(text)) return
    texts.add(JSON.stringify(text.slice(0, 200)).slice(1, -1))
    const [oldest] = texts
    if (texts.size > MOST_TEXTS && oldest !== undefined) texts.delete(oldest)
  }
  const hear = (sent: unknown): void => {
    if (typeof sent === 'string') remember(sent)
    else if (sent instanceof FormData) for (const [, value] of sent) hear(value)
    else if (typeof sent === 'object' && sent !== null && !(sent instanceof Blob))
      for (const value of Object.values(sent)) hear(value)
  }
  const write = (line: string) => {
    for (const [what, pattern] of SECRETS)
      if (pattern.test(line)) leaks.push(`${what}: ${line.trim()}`)
    for (const text of texts)
      if (line.includes(text)) leaks.push(`what somebody wrote: ${line.trim()}`)
  }
  return { hear, write, leaks }
}

/**
 * Returns a server's log lines with this message as objects, starting at an offset. The server needs a LOG_LEVEL.
 */
export function loggedBy(
  { logged }: { readonly logged: readonly string[] },
  message: string,
  from = 0,
): Record<string, unknown>[] {
  return logged
    .slice(from)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message)
}
