const beforeSignOut = new Set<() => Promise<unknown>>()

/** Registers work that needs the session, to be done before it ends. Returns a function that unregisters it. */
export function onSignOut(work: () => Promise<unknown>): () => void {
  beforeSignOut.add(work)
  return () => void beforeSignOut.delete(work)
}

/** Starts the work of `onSignOut`. Resolves when all of it has succeeded or failed. */
export async function runBeforeSignOut(): Promise<void> {
  await Promise.allSettled([...beforeSignOut].map((work) => work()))
}

const afterSignOut = new Set<() => void>()

/** Registers work to be done when the user has signed out. Returns a function that unregisters it. */
export function onSignedOut(work: () => void): () => void {
  afterSignOut.add(work)
  return () => void afterSignOut.delete(work)
}

/** Does the work of `onSignedOut`. */
export function runAfterSignOut(): void {
  for (const work of afterSignOut) work()
}
