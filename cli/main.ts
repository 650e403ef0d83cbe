import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { followEvents } from './commands/events.ts'
import { login } from './commands/login.ts'
import { approveSubmissions, listSubmissions } from './commands/submissions.ts'
import { createTask, listTasks } from './commands/tasks.ts'
import { asFailure, EXIT, type Failure, usageFailure } from './failure.ts'

const COMMANDS: Record<string, Command> = {
  login,
  'task create': createTask,
  'task list': listTasks,
  'submissions list': listSubmissions,
  'submissions approve': approveSubmissions,
  'events follow': followEvents,
}

const JSON_OPTION = { json: { type: 'boolean' } } as const

// The reader of a pipe, as in `tallywork events follow | head`, may end first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const args = process.argv.slice(2)
try {
  process.exitCode = await run(args)
} catch (error) {
  const failure = asFailure(error)
  process.stderr.write(args.includes('--json') ? asJson(failure) : asText(failure))
  process.exitCode = failure.exitCode
}

async function run(words: string[]): Promise<number> {
  if (words.length === 0 || words.includes('--help') || words[0] === 'help') {
    process.stdout.write(help())
    return words.length === 0 ? EXIT.usage : 0
  }
  const [command, rest] = commandOf(words)
  const { values, positionals } = parse(command, rest)
  const output = await command.run(values, positionals)
  if (output !== undefined)
    process.stdout.write(values.json ? `${JSON.stringify(output.json)}\n` : `${output.text}\n`)
  if (output?.failure !== undefined) throw output.failure
  return output?.exitCode ?? 0
}

/** Returns the command that the first words name, also behind options, and the other arguments. @throws Failure if there is none. */
function commandOf(args: string[]): [Command, string[]] {
  const options = Object.assign({}, ...Object.values(COMMANDS).map((each) => each.options), JSON_OPTION)
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const words = tokens.filter(({ kind }) => kind === 'positional').slice(0, 2)
  const nameOf = (named: typeof words) => named.map(({ index }) => args[index]).join(' ')
  const named = [words, words.slice(0, 1)].find((each) => Object.hasOwn(COMMANDS, nameOf(each)))
  const command = named && COMMANDS[nameOf(named)]
  if (named === undefined || command === undefined)
    throw usageFailure(words.length === 0 ? 'Name a command.' : `There is no command ${nameOf(words)}.`)
  const indexes = named.map(({ index }) => index)
  return [command, args.filter((_, index) => !indexes.includes(index))]
}

function parse({ options, takesWords = false }: Command, words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: { ...options, ...JSON_OPTION },
      allowPositionals: takesWords,
      strict: true,
    })
  } catch (error) {
    throw usageFailure((error as Error).message)
  }
}

function help(): string {
  const commands = Object.entries(COMMANDS).map(
    ([name, { usage, summary }]) => `  tallywork ${name} ${usage}\n      ${summary}`,
  )
  return `Posts tasks, reviews submissions and follows events with an API key.

${commands.join('\n')}

Every command takes --json.
Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no valid key, 4 try again later.
`
}

function asText({ code, message, remedy, fields = {} }: Failure): string {
  const wrong = Object.entries(fields).map(([field, text]) => `  ${field}: ${text}`)
  return `${[`error: ${message} (${code})`, ...wrong, remedy].filter(Boolean).join('\n')}\n`
}

function asJson({ code, message, remedy, fields }: Failure): string {
  return `${JSON.stringify({ error: { code, message, remedy, ...(fields && { fields }) } })}\n`
}
