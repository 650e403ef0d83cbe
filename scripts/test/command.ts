import { type ChildProcess, spawn } from 'node:child_process'
import { childSeconds } from './processor-time.ts'

type Ended = {
  code: number | null
  output: string
  /** The processor time of the command and of what it started and waited for. */
  seconds: number
}

const running = new Set<ChildProcess>()
let counted = childSeconds()

/**
 * Runs a command to its end.
 * @param show whether its output goes to ours as it comes; otherwise it is only collected.
 */
export function runCommand(
  command: string[],
  show: boolean,
  env: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0] as string, command.slice(1), {
      env: { ...process.env, ...env },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    let seconds = 0
    const receive = (chunk: string) => {
      output += chunk
    }
    child.stdout?.setEncoding('utf8').on('data', receive)
    child.stderr?.setEncoding('utf8').on('data', receive)
    child.on('error', reject)
    child.on('exit', () => {
      seconds = takeSeconds()
    })
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code, output, seconds })
    })
  })
}

/** Returns the processor time of the children that ended since the last call: called at the end of each, its own. */
export function takeSeconds(): number {
  const before = counted
  counted = childSeconds()
  return counted - before
}

/** Ends whatever still runs, for a run that is broken off. */
export function endCommands(): void {
  for (const child of running) child.kill('SIGTERM')
}
