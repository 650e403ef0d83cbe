/** Repeats a run until it is stopped. `wake` begins the next run early; `stop` waits for the last one. */
export type Polling = { wake(): void; stop(): Promise<void> }

type Options = {
  /** The pause between two runs. */
  idleMs: () => number
  /** At most one run begins in this time: wake-ups in quick succession share a run. */
  gapMs: number
}

/** Starts polling. `run` handles its errors itself. */
export function startPolling(run: () => Promise<void>, { idleMs, gapMs }: Options): Polling {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let begunAt = Number.NEGATIVE_INFINITY
  let isWoken = false
  let isStopped = false

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void begin(), delayMs)
  }
  const gapLeftMs = () => Math.max(0, begunAt + gapMs - performance.now())

  async function begin(): Promise<void> {
    isWoken = false
    begunAt = performance.now()
    running = run()
    await running
    running = undefined
    if (!isStopped) schedule(isWoken ? gapLeftMs() : idleMs())
  }
  schedule(0)

  return {
    wake() {
      isWoken = true
      if (running === undefined && !isStopped) schedule(gapLeftMs())
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
