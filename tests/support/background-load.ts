export type BackgroundLoad = {
  /** Returns how often the work was done so far. @throws what it threw. */
  completed(): number
  /** Waits for the work in flight. @throws what it threw. */
  stop(): Promise<void>
}

/**
 * Repeats work in concurrent loops until it is stopped or fails. `work` receives the number of its loop and of the round, both from
 * zero.
 */
export function startBackgroundLoad(
  loops: number,
  work: (loop: number, round: number) => Promise<unknown>,
): BackgroundLoad {
  let completed = 0
  let isOver = false
  const failures: unknown[] = []

  async function repeat(loop: number): Promise<void> {
    try {
      for (let round = 0; !isOver; round++) {
        await work(loop, round)
        completed++
      }
    } catch (error) {
      failures.push(error)
      isOver = true
    }
  }
  const ended = Promise.all(Array.from({ length: loops }, (_, loop) => repeat(loop)))
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0]
  }
  return {
    completed() {
      throwFailure()
      return completed
    },
    async stop() {
      isOver = true
      await ended
      throwFailure()
    },
  }
}
