import { plural, t } from '@lingui/core/macro'
import type { Growth, Size } from '#contract/system.ts'
import { formatBytes } from '#web/lib/dashboard-format.ts'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const PICTURE_FILES = 'picture files'
const LARGEST = 8
/** These are shown however small they are: a mistake or an attack shows in them first. */
const WATCHED = ['search_terms', 'outbox', 'idempotency_keys', PICTURE_FILES]
const LABELS: Record<string, string> = {
  database: t`Database`,
  search_terms: t`Search words`,
  jobs: t`Job queue`,
  [PICTURE_FILES]: t`Picture files`,
}
const DISK_LOW_DAYS = 30

/** Renders what grows: the database, its largest tables, the pictures, and how long the disk lasts. */
export function GrowthSection({ growth: { database, parts, disk } }: { growth: Growth }) {
  const shown = parts.filter(({ name }, index) => index < LARGEST || WATCHED.includes(name))
  return (
    <section aria-labelledby="growth" className="card p-5">
      <h2 id="growth" className="mb-2 text-lg">{t`Growth`}</h2>
      {database === null ? (
        <p className="text-sm text-dim">{t`Sizes have not been recorded yet.`}</p>
      ) : (
        <div className="grid gap-x-8 md:grid-cols-2">
          <StatList>
            <StatRow name={t`Disk lasts`} strong>
              <DiskForecast disk={disk} />
            </StatRow>
            {disk !== null && (
              <StatRow name={t`Free disk space`}>
                {t`${{ free: formatBytes(disk.freeBytes) }} of ${{ total: formatBytes(disk.totalBytes) }}`}
              </StatRow>
            )}
            <SizeRow size={database} />
          </StatList>
          <StatList>
            {shown.map((size) => (
              <SizeRow key={size.name} size={size} />
            ))}
          </StatList>
        </div>
      )}
    </section>
  )
}

function DiskForecast({ disk }: { disk: Growth['disk'] }) {
  if (disk === null) return t`Unknown: external database`
  if (disk.daysLeft === null) return t`No growth measured`
  return (
    <StatusBadge tone={disk.daysLeft < DISK_LOW_DAYS ? 'error' : 'success'}>
      {plural(disk.daysLeft, { one: '# day', other: '# days' })}
    </StatusBadge>
  )
}

function SizeRow({ size: { name, bytes, rows, bytesPerDay } }: { size: Size }) {
  return (
    <StatRow
      name={
        <>
          {labelOf(name)}
          {rows !== null && (
            <span className="block text-xs">
              {name === PICTURE_FILES
                ? plural(rows, { one: '# file', other: '# files' })
                : plural(rows, { one: '# row', other: '# rows' })}
            </span>
          )}
        </>
      }
    >
      {formatBytes(bytes)}
      <span className="block text-xs text-dim">
        {bytesPerDay === null
          ? t`Rate not known yet`
          : t`${{ size: formatBytes(bytesPerDay, 'exceptZero') }} per day`}
      </span>
    </StatRow>
  )
}

function labelOf(name: string): string {
  const words = LABELS[name] ?? name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
