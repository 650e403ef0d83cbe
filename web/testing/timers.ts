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
    // The cache and a transition that has begun leave timers of their own behind when they are cleared; theirs do nothing then.
    return [...pending.values()]
      .map(({ stack = '' }) => stack)
      .filter((stack) => !/query-core|react-transition-group/.test(stack))
  }
}
