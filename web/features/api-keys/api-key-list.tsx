import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { ApiKey } from '#contract/api-keys.ts'
import { scopeList } from '#web/features/api-keys/scope-names.ts'
import { formatDay, formatTimeAgo, localDay } from '#web/lib/format-time.ts'
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx'
import { showDialog } from '#web/ui/dialogs.tsx'
import { ApiKeyDetails } from './api-key-details.tsx'
import { ApiKeyState, isLive } from './api-key-state.tsx'

type Props = {
  /** The accessible name of the list. */
  label: string
  keys: ApiKey[]
  onRevoke: (key: ApiKey) => void
}

/** Renders API keys with their state and use. Their names open what each did; a button revokes it. */
export function ApiKeyList({ label, keys, onRevoke }: Props) {
  return (
    <DataTable
      label={label}
      rows={keys}
      rowKey={({ _id }) => _id}
      columns={[
        ...COLUMNS,
        {
          header: t`Actions`,
          align: 'right',
          width: 'whitespace-nowrap',
          cell: (key) => <RevokeButton apiKey={key} onRevoke={onRevoke} />,
        },
      ]}
      renderCard={(key) => <ApiKeyCard apiKey={key} onRevoke={onRevoke} />}
    />
  )
}

const COLUMNS: DataColumn<ApiKey>[] = [
  {
    header: t`Name`,
    width: 'min-w-36',
    cell: (key) => (
      <>
        <KeyName apiKey={key} />
        <span className="block font-mono text-xs text-dim">{key.prefix}…</span>
      </>
    ),
  },
  {
    header: t`Scopes`,
    width: 'min-w-36',
    cell: (key) => (
      <>
        {scopeList(key.scopes)}
        <span className="line-clamp-1 text-xs text-dim">{networksText(key)}</span>
      </>
    ),
  },
  {
    header: t`Created`,
    width: 'hidden xl:table-cell',
    cell: ({ createdAt }) => (
      <span className="whitespace-nowrap text-dim">{formatDay(localDay(createdAt))}</span>
    ),
  },
  {
    header: t`Last used`,
    cell: (key) => <LastUse apiKey={key} />,
  },
  { header: t`State`, cell: (key) => <ApiKeyState apiKey={key} /> },
]

function LastUse({ apiKey: { lastUsedAt, lastUsedNetwork } }: { apiKey: ApiKey }) {
  if (lastUsedAt === null) return <span className="text-dim">{t`Never`}</span>
  return (
    <>
      <span className="block whitespace-nowrap">{formatTimeAgo(lastUsedAt)}</span>
      {lastUsedNetwork !== null && (
        <span className="block font-mono text-xs wrap-anywhere text-dim">{lastUsedNetwork}</span>
      )}
    </>
  )
}

type ItemProps = { apiKey: ApiKey; onRevoke: Props['onRevoke'] }

function ApiKeyCard({ apiKey, onRevoke }: ItemProps) {
  const { prefix, scopes, lastUsedAt, createdAt } = apiKey
  const facts = [
    lastUsedAt === null ? t`Never used` : t`Last used ${{ time: formatTimeAgo(lastUsedAt) }}`,
    t`Created ${{ day: formatDay(localDay(createdAt)) }}`,
  ]
  return (
    <article>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-base tracking-normal">
          <KeyName apiKey={apiKey} />
        </h3>
        <ApiKeyState apiKey={apiKey} />
      </div>
      <p className="font-mono text-sm text-dim">{prefix}…</p>
      <p className="mt-1 text-sm wrap-anywhere">
        {scopeList(scopes)} · {networksText(apiKey)}
      </p>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-dim">{facts.join(' · ')}</p>
        <RevokeButton apiKey={apiKey} onRevoke={onRevoke} />
      </div>
    </article>
  )
}

/** Renders the name of a key as a button that opens everything about it. */
function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const { name } = apiKey
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className="link text-left leading-snug wrap-anywhere"
      onClick={() =>
        void showDialog<never>({ title: name, content: () => <ApiKeyDetails apiKey={apiKey} /> })
      }
    >
      {name}
    </button>
  )
}

function RevokeButton({ apiKey, onRevoke }: ItemProps) {
  const { name } = apiKey
  if (!isLive(apiKey)) return null
  return (
    <Button
      size="compact-md"
      variant="default"
      aria-label={t`Revoke ${name}`}
      onClick={() => onRevoke(apiKey)}
    >
      {t`Revoke`}
    </Button>
  )
}

const networksText = ({ networks }: ApiKey) =>
  networks.length === 0 ? t`Any network` : t`Only from ${{ networks: networks.join(', ') }}`
