import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { auditText } from '#contract/audit-texts.en.ts'
import { type Audit, audit } from '#contract/ledger.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { PackageMargins } from '#web/features/operator-settings/package-margins.tsx'
import { formatMilliseconds, formatNumber } from '#web/lib/format.ts'
import { formatClock } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { IconAlertTriangle, IconCircleCheck, IconRefresh } from '#web/ui/icons.ts'
import { Screen } from '#web/ui/screen.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const REFRESH_MS = 30_000
/** Totals that are counts, not coins. */
const COUNTS = ['transfers', 'accounts']

/** Renders the audit of the ledger: each check with its number of records and errors, and the totals. */
export default function Books() {
  const { data, refetch, isFetching } = useSuspenseQuery({
    ...queryOf(audit, {}),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  return (
    <Screen
      title={t`Books`}
      subtitle={t`A full audit of all coins, repeated every ${{ period: formatMilliseconds(REFRESH_MS) }}`}
      action={
        <Button
          variant="default"
          loading={isFetching}
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={() => void refetch()}
        >
          {t`Run audit`}
        </Button>
      }
    >
      <div className="space-y-4">
        <StatusBanner audit={data} />
        <div className="grid grid-cols-1 items-start gap-4 @4xl:grid-cols-[minmax(0,1fr)_24rem]">
          <section aria-labelledby="checks" className="card p-5">
            <h2 id="checks" className="mb-2 text-lg">{t`Checks`}</h2>
            <StatList>
              {data.checks.map((check) => (
                <StatRow
                  key={check.name}
                  name={<span className="inline-block first-letter:uppercase">{auditText(check.name)}</span>}
                >
                  <span className="flex items-center justify-end gap-3">
                    <span className="text-dim">{formatNumber(check.checked)}</span>
                    <StatusBadge tone={check.wrong === 0 ? 'success' : 'error'}>
                      {check.wrong === 0 ? t`OK` : plural(check.wrong, { one: '# error', other: '# errors' })}
                    </StatusBadge>
                  </span>
                </StatRow>
              ))}
            </StatList>
          </section>
          <section aria-labelledby="totals" className="card p-5">
            <h2 id="totals" className="mb-2 text-lg">{t`Totals`}</h2>
            <StatList>
              {Object.entries(data.figures).map(([name, value]) => (
                <StatRow
                  key={name}
                  name={<span className="inline-block first-letter:uppercase">{auditText(name)}</span>}
                >
                  {COUNTS.includes(name) ? formatNumber(value) : <CoinAmount value={value} />}
                </StatRow>
              ))}
            </StatList>
          </section>
        </div>
        <PackageMargins />
      </div>
    </Screen>
  )
}

function StatusBanner({ audit }: { audit: Audit }) {
  const rules = audit.checks.length
  const checked = audit.checks.reduce((sum, check) => sum + check.checked, 0)
  const Icon = audit.balanced ? IconCircleCheck : IconAlertTriangle
  return (
    <section
      role="status"
      className={`flex items-center gap-4 rounded-card p-5 ${audit.balanced ? 'bg-soft text-on-soft' : 'bg-danger-soft text-danger'}`}
    >
      <Icon size={36} className="shrink-0" aria-hidden />
      <div>
        <p className="text-xl font-heading tracking-tight">
          {audit.balanced ? t`The books balance` : t`The books do not balance`}
        </p>
        <p className="text-sm">
          {t`${plural(rules, { one: '# rule', other: '# rules' })} checked over ${{ records: formatNumber(checked) }} records at ${{ time: formatClock(audit.time) }} in ${{ duration: formatNumber(audit.tookMs) }} ms`}
        </p>
      </div>
    </section>
  )
}
