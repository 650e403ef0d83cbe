import { spawn } from 'node:child_process'
import { root } from './root.mjs'

const PROGRESS_MS = 10_000

/**
 * Runs a long command in the clone, with a line of progress every ten seconds.
 * @param {{ title: string, args: string[], env?: NodeJS.ProcessEnv, cwd?: string }} step `args` begins with the executable.
 * @returns {Promise<string>} the last 20,000 characters of what it printed.
 * @throws with the command's own words when it fails.
 */
export async function runStep({ title, args, env, cwd = root }) {
  const begin = Date.now()
  const seconds = () => `${Math.round((Date.now() - begin) / 1000)} s`
  console.log(`${title} …`)
  const progress = setInterval(() => console.log(`${title} … ${seconds()}`), PROGRESS_MS)
  let said = ''
  try {
    await new Promise((resolve, reject) => {
      const child = spawn(args[0], args.slice(1), {
        cwd,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const receive = (chunk) => {
        said = (said + chunk).slice(-20_000)
      }
      child.stdout.setEncoding('utf8').on('data', receive)
      child.stderr.setEncoding('utf8').on('data', receive)
      child.on('error', (error) => reject(new Error(`${title} failed: ${error.message}`)))
      child.on('close', (code, signal) => {
        if (code === 0) resolve()
        else reject(new Error(`${said.trim()}\n${title} failed (${signal ?? `exit code ${code}`}).`))
      })
    })
  } finally {
    clearInterval(progress)
  }
  console.log(`${title}: done in ${seconds()}`)
  return said
}

/** The command line that runs npm on a given Node, so that npm resolves and builds for that one. */
export function npmOn(node) {
  const own = process.env.npm_execpath
  return own?.endsWith('npm-cli.js') ? [node, own] : ['npm']
}
