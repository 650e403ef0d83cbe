import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { API_PATH } from '#contract/endpoint.ts'
import type { OpenApi } from '#server/api-docs/openapi.ts'
import { useApi } from '#tests/support/api.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'monitoring')
const KEYWORDS = new Set(['by', 'without', 'and', 'or', 'unless', 'on', 'ignoring', 'bool'])

type Rules = { groups: { rules: { alert: string; expr: string; labels: { severity: string } }[] }[] }
type Dashboard = { panels: { id: number; title: string; targets: { expr: string }[] }[] }

const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8')
const ruleFiles = readdirSync(FOLDER).filter((file) => file.endsWith('.yml'))
const rules = ruleFiles.flatMap((file) => (parse(read(file)) as Rules).groups.flatMap((group) => group.rules))
const dashboard = JSON.parse(read('dashboard.json')) as Dashboard
const ruleOf = (name: string) => rules.find(({ alert }) => alert === name)
const panelExpressions = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
)

/** Returns the names of the metrics in an expression of PromQL. */
function metricsIn(expression: string): string[] {
  const names = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|without|on|ignoring) \([^)]*\)/g, ' ')
    .matchAll(/(?<![\w.])([a-z_]\w*)\b(?!\s*\()/gi)
  return Array.from(names, ([name]) => name).filter((name) => !KEYWORDS.has(name))
}

describe('alert rules and the dashboard', () => {
  const api = useApi({ metricsToken: 'a token of the tests' })

  test('each metric in them exists, and the dashboard shows each metric of the server', async () => {
    const headers = { authorization: 'Bearer a token of the tests' }
    const { body } = await api.instance.app.inject({ url: '/metrics', headers })
    const served = new Set(['up'])
    for (const [, name = '', type] of body.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      if (type === 'histogram') for (const part of ['bucket', 'count', 'sum']) served.add(`${name}_${part}`)
      else served.add(name)
    }
    const used = [...rules.map(({ expr }) => expr), ...panelExpressions].flatMap(metricsIn)
    assert.ok(used.length > 40)
    assert.deepEqual(
      used.filter((name) => !served.has(name)),
      [],
    )
    const shown = new Set(panelExpressions.flatMap(metricsIn))
    const own = [...served].filter(
      (name) => !/^(process|nodejs)_/.test(name) && !/_seconds_(sum|count)$/.test(name),
    )
    assert.deepEqual(
      own.filter((name) => !shown.has(name)),
      [],
    )
  })

  test('each rule has a severity and a name of its own, and each panel an id', () => {
    for (const { alert, labels } of rules) assert.match(labels.severity, /^(page|ticket)$/, alert)
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
  })

  test('durations are those of requests that end soon, without event streams', async () => {
    const { body } = await api.instance.app.inject('/api/openapi.json')
    const { paths } = JSON.parse(body) as OpenApi
    const streams = Object.entries(paths ?? {})
      .filter(([, methods]) => 'text/event-stream' in (methods.get?.responses?.[200]?.content ?? {}))
      .map(([path]) => API_PATH + path)
    assert.ok(streams.length > 1)
    const durations = [...rules.map(({ expr }) => expr), ...panelExpressions].filter((expr) =>
      expr.includes('http_request_duration_seconds_bucket'),
    )
    assert.ok(durations.length > 1)
    for (const expr of durations)
      assert.deepEqual(
        /_bucket\{route!~"([^"]+)"/.exec(expr)?.[1]?.split('|').toSorted(),
        streams.toSorted(),
        expr,
      )
  })

  test('clients that disconnect soon are no failure, and those that waited page', () => {
    const rule = ruleOf('ClientsGiveUp')
    assert.equal(rule?.labels.severity, 'page')
    assert.match(rule.expr, /_count\{[^}]*status="499"\}[^-]+- sum[^\n]+_bucket\{[^}]*status="499",le="5"\}/)
  })

  test('jobs and emails are compared within one state, and an email that is retried alone does not page', () => {
    for (const { alert, expr } of rules)
      for (const [selector, labels = ''] of expr.matchAll(
        /(?:email_wait_seconds|background_jobs)(\{[^}]*\})?/g,
      ))
        assert.match(labels, /\bstate="/, `${alert}: ${selector}`)
    const { expr = '' } = ruleOf('AccountEmailsLate') ?? {}
    assert.match(
      expr,
      /state="retry"[^\n]+\n +and max\(max_over_time\(background_jobs\{queue="mail", state="retry"\}/,
    )
    assert.equal(ruleOf('EmailsRetried')?.labels.severity, 'ticket')
  })

  test('an archive whose attempts fail pages, and one whose attempt hangs', () => {
    const rule = ruleOf('WalArchiveFails')
    assert.equal(rule?.labels.severity, 'page')
    assert.deepEqual(metricsIn(rule.expr), ['wal_archive_failing', 'wal_archive_age_seconds'])
  })

  test('promtool accepts the rules and the expressions of the dashboard', (t) => {
    if (spawnSync('promtool', ['--version']).status !== 0) return t.skip('promtool is not here')
    const folder = mkdtempSync(join(tmpdir(), 'tallywork-rules-'))
    try {
      const file = join(folder, 'dashboard.yml')
      const recorded = panelExpressions.map((expr, index) => ({ record: `panel:number_${index}`, expr }))
      writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules: recorded }] }))
      const files = [...ruleFiles.map((name) => join(FOLDER, name)), file]
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', ...files], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, `${stdout}${stderr}`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
