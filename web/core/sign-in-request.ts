/** Lets `api` show a sign-in or confirmation dialog, which the layout provides. */
export type SignInRequest = 'signIn' | 'confirm'
type Asker = (request: SignInRequest) => Promise<boolean>

let asker: Asker | null = null
let asked: Promise<boolean> | null = null

/** Registers the layout's dialog. Returns a function that unregisters it. */
export function hostSignIn(host: Asker): () => void {
  asker = host
  return () => {
    asker = null
  }
}

/** Resolves to false if the user cancels. Concurrent callers share one dialog, because a new sign-in also confirms. */
export function requestSignIn(request: SignInRequest = 'signIn'): Promise<boolean> {
  asked ??= (asker?.(request) ?? Promise.resolve(false)).finally(() => {
    asked = null
  })
  return asked
}
