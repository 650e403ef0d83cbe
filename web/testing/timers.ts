const pending = new Map<unknown, Error>()
const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis

/** Notes every timer from now on. Returns a function that stops this and returns where those that are left were set. */
export function watchTimers(): () => string[] {
  pending.clear()
  const started = (timer: unknown) => pending.set(timer, new Error('A timer is left'))
  const watched = {
    setTimeout(work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) {
      const timer = setTimeout(() => {
        pending.delete(timer)
        work(...args)
      }, ms)
      started(timer)
      return timer
    },
    setInterval(work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) {
      const timer = setInterval(work, ms, ...args)
      started(timer)
      return timer
    },
    clearTimeout(timer: NodeJS.Timeout) {
      pending.delete(timer)
      clearTimeout(timer)
    },
    clearInterval(timer: NodeJS.Timeout) {
      pending.delete(timer)
      clearInterval(timer)
    },
  }
  Object.assign(globalThis, watched)
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval })
    // The cache leaves timers of its own behind when it is cleared.
    return [...pending.values()]
      .map(({ stack = '' }) => stack)
      .filter((stack) => !stack.includes('query-core'))
  }
}
