import { type ChildProcess, spawn } from 'node:child_process'

const running = new Set<ChildProcess>()

/**
 * Runs a command to its end.
 * @param show whether its output goes to ours as it comes; otherwise it is only collected.
 */
export function runCommand(
  command: string[],
  show: boolean,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0] as string, command.slice(1), {
      env: { ...process.env, ...env },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    const receive = (chunk: string) => {
      output += chunk
    }
    child.stdout?.setEncoding('utf8').on('data', receive)
    child.stderr?.setEncoding('utf8').on('data', receive)
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code, output })
    })
  })
}

/** Ends whatever still runs, for a run that is broken off. */
export function endCommands(): void {
  for (const child of running) child.kill('SIGTERM')
}
