import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

/** Home-made words and what to write instead, in names, comments, test titles and documents (docs/glossary.md). */
const WORDS: [RegExp, instead: string][] = [
  [/\banswer(s|ed|ing)?\b/i, 'returns, responds; response, result'],
  [/\breadings\b|\b(a|the|short|each|one|quick|shared) reading\b/i, 'query, read'],
  [/\b(told|tells?|telling|hears?|heard)\b/i, 'notified, notify, receive; say what happens'],
  [/\bpersons?\b/i, 'user'],
  [/\bdear(er)?\b/i, 'expensive'],
  [/\banew\b/i, 'again; retry'],
  [/\bunder way\b|underWay/i, 'in flight, running'],
  [/\bworked off\b/i, 'processed'],
  [/\bsay\(/, 'print, showMessage'],
  [/\bhang(s|ing)? ?up\b/i, 'close, disconnect'],
  [/\b(is|are|was|were|has|have|be) gone\b/i, 'deleted, removed, closed'],
  [/\bso (many|long)\b/i, 'a limit by its name; N'],
  [/\bfigures?\b/i, 'metric, total, value'],
  [/\bstand-?ins?\b/i, 'fake'],
  [/\b(the|a) programs?\b/i, 'the server, the process, the command'],
  [/\b(the|a) house('s)?\b/i, 'platform account'],
  [/\bwho(so)?ever\b/i, 'name the subject'],
  [/\bby (itself|themselves)\b/i, 'automatically; separately; alone'],
  [/\b(goes|go|went) on\b/i, 'continues'],
  [/\bonce more\b|\breckon(s|ed|ing)?\b/i, 'again; compute'],
  [/\b(lies|lie) (in|at|there|ready|on|beside)\b/i, 'is stored, is listed'],
  [/\bstands? (in|at|there|beside|behind|on)\b/i, 'is stored, is listed'],
  [
    /\b(throttles|vouch(ed|es)?|turnedAway|atHand|sharedReading|readQuickly|orLast|orFirst)\b/,
    'docs/glossary.md',
  ],
  [
    /\b(PATIENCE_MS|isSilence|inWords|takeBack|refuseUntil|hangUpOnEnded|tellTasks|Bone|LongGrid)\b/,
    'docs/glossary.md',
  ],
  [/\b(at-hand|not-your-screen|on-the-way|long-grid|shared-answers)\b/, 'docs/glossary.md'],
]

/** Where such a word may stay, each with the reason. */
const EXCEPTIONS: { file: RegExp; line: RegExp; reason: string }[] = [
  {
    file: /^tests\/language\.test\.ts$|^docs\/glossary\.md$/,
    line: /./,
    reason: 'list the words themselves',
  },
  { file: /^server\/database\/migrations\//, line: /./, reason: 'applied migrations are never edited' },
  { file: /-OFL\.txt$/, line: /./, reason: 'licences of fonts' },
  { file: /^tests\/process\/released\//, line: /./, reason: 'fixtures of releases' },
  {
    file: /^contract\/contact\.ts|^server\/(contact|waiting)\/|^tests\/(api\/(bad-input|keyed-writes|samples)|identity\/step-up)|^web\/routes\/(dashboard\/messages|lists\.test)|^docs\/specification\/notifications/,
    line: /\banswered_at\b|answerContact|\banswered\b/i,
    reason: 'an Admin answers a contact message',
  },
  {
    file: /^contract\/ledger\.ts|^server\/(backup|ledger)\/|^server\/monitoring\/database-metrics|^tests\/(languages\/audit-texts|process\/migrations)|^web\/routes\/dashboard\/(books|settings\.test)/,
    line: /\bfigures\b/,
    reason: 'a field of the audit and of backup manifests',
  },
  { file: /./, line: /<\/?figure|'figure'/, reason: 'the HTML element and its ARIA role' },
  { file: /./, line: /turnedAway|\bprogram: z\.object/, reason: 'fields of GET /system' },
  {
    file: /./,
    line: /'person'|"person"|\bperson: \[|body\.person|\bperson\.(email|role|coins)|\{ person, work,/,
    reason: 'a live topic, and a field of GET /my-data',
  },
  {
    file: /./,
    line: /[pP]ersonAbove|[tT]rustedPersonDays|second_person_required|payout_under_way|answerContact/,
    reason: 'properties of settings, codes of errors and an operation of the API',
  },
  {
    file: /ledger\/audit\.sql$|contract\/audit-texts/,
    line: /swept to the house/,
    reason: 'a total named in backup manifests',
  },
  {
    file: /^web\/(content|features\/blog)\/|^server\/demo\/|^tests\/load\/world\//,
    line: /./,
    reason: 'texts written by users or for them',
  },
  {
    file: /^cli\/client|^contract\/(answer-form|audience|audit-texts|my-workers|qualifications|validation-texts|projects|batch|items|refusals|notification-texts|submission-states)|^server\/(projects|batches|audience)\/|^server\/tasks\/(access|items|batch-workers|top-up)|^server\/(submissions\/(submit-item|submission-keys|revise)|images\/purge-unused|users\/export)|^web\/(features|routes\/dashboard)\/([a-z]+-)?(project|batch|audience)|^web\/features\/appeals\/case-timeline|^web\/(routes\/dashboard\/(item-work|my-workers)|features\/submissions\/(send|unsent)-work)|^web\/routes\.ts|^tests\/(api\/samples|support\/example|support\/(items|batches|spreadsheets)|load\/batches|process\/partitioned-submissions|e2e\/(batches|broken-connection|installed|offline|dashboard-screens))|^docs\/(specification\/(projects|api|screens|audience)\.|decisions\/(008[568]|0075|009[357])|architecture|security|glossary)/,
    line: /\banswer(s|ed)?\b|answer form/i,
    reason: "a worker's answers to the questions of a project",
  },
  {
    file: /^contract\/(api\.ts|security-log)|^server\/(app\.ts|security-log\/.*\.test\.ts$)|invalidate-queries\.ts$/,
    line: /batch[-_]?answers|answer-?routes|answers of a batch|\/answers\//i,
    reason: 'files of the same answers',
  },
  { file: /submit-form\.tsx$/, line: /placeholder=/, reason: 'a worker writes an answer' },
  { file: /landing\.spec\.ts$/, line: /Hear from/, reason: 'a heading of the landing page' },
]

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|sql|md|txt|sh|css|ya?ml|lua)$|Dockerfile$|Caddyfile$/.test(file))

test('names, comments and documents use the standard terms', () => {
  assert.ok(files.length > 100, 'The files of the repository were not found')
  const found: string[] = []
  for (const file of files) {
    const lines = readIfThere(file).split('\n')
    // Few files have such a word at all, and most of these have one.
    const whole = lines.map(continuation).join(' ')
    const apart = wordsOf(whole)
    const words = WORDS.filter(([word]) => word.test(whole) || word.test(apart))
    if (words.length === 0) continue
    for (const [index, line] of lines.entries()) {
      // A phrase may continue on the next line of a comment or a paragraph.
      const text = `${line} ${continuation(lines[index + 1] ?? '')}`
      for (const [word, instead] of words) {
        const inText = word.exec(text)
        const hit = inText !== null && inText.index < line.length ? inText : word.exec(wordsOf(line))
        if (hit === null) continue
        const where = hit === inText && hit.index + hit[0].length > line.length ? text : line
        if (isException(file, where)) continue
        found.push(`${file}:${index + 1} "${hit[0]}": ${instead}`)
      }
    }
  }
  assert.equal(found.length, 0, `${found.length} places:\n${found.join('\n')}`)
})

function isException(file: string, text: string): boolean {
  const inFile = EXCEPTIONS.filter((exception) => exception.file.test(file))
  return inFile.some(({ line }) => line.test(text) || line.test(wordsOf(text)))
}

/** Returns a line without the marks of comments and quotations at its beginning. */
function continuation(line: string): string {
  return line.replace(/^[\s*/#>-]+/, '')
}

/** Returns a line with the words of its identifiers apart: tell Story. */
function wordsOf(line: string): string {
  return line.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}

/** A file that was deleted and not yet committed is listed as well. */
function readIfThere(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
