/** Signing in again, or confirming that it is still the person, in place: api() asks, the layout's dialog answers. */
export type SignInRequest = 'signIn' | 'confirm'
type Asker = (request: SignInRequest) => Promise<boolean>

let asker: Asker | null = null
let asked: Promise<boolean> | null = null

/** The layout's dialog registers itself here. Returns how to unregister. */
export function hostSignIn(host: Asker): () => void {
  asker = host
  return () => {
    asker = null
  }
}

/**
 * Resolves true when the person has signed in again, or confirmed that it is them; false when they would not. Several
 * callers share one dialog: a new sign-in confirms as well.
 */
export function requestSignIn(request: SignInRequest = 'signIn'): Promise<boolean> {
  asked ??= (asker?.(request) ?? Promise.resolve(false)).finally(() => {
    asked = null
  })
  return asked
}
