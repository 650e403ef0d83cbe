import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { liftBlock } from '#contract/my-workers.ts'
import { REASON_MAX } from '#contract/rejections.ts'
import { type UserOverview, userOverview } from '#contract/user-overview.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { useChange } from '#web/lib/use-change.ts'
import { prompt } from '#web/ui/dialogs.tsx'
import { Section } from './section.tsx'

type Block = UserOverview['blocks'][number]

/** Renders the blocks of a user as a worker, and of workers by a user as a buyer. Renders nothing without any. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  const { change } = useChange([userOverview])
  // The button of a block is removed when it was lifted.
  const list = useFocusRecovery<HTMLUListElement>(blocks.filter(({ endedAt }) => endedAt === null).length)
  if (blocks.length === 0) return null

  async function lift({ blockId }: Block) {
    await prompt({
      title: t`Lift this block?`,
      text: t`The worker can take tasks of the buyer again. Your reason is kept in the audit log.`,
      label: t`Reason`,
      maxLength: REASON_MAX,
      requiredMessage: t`Enter a reason`,
      confirmLabel: t`Lift block`,
      draft: `lift block ${blockId}`,
      submit: (reason) =>
        change(blockId, () => call(liftBlock, { params: { id: blockId }, body: { reason } })),
    })
  }

  return (
    <Section title={t`Blocks of workers`}>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line text-sm outline-none">
        {blocks.map((block) => {
          const other = <UserLink id={block._id} name={block.name} />
          return (
            <li key={block.blockId} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span className="min-w-0 flex-1 basis-40">
                {block.by ? <Trans>Blocked {other}</Trans> : <Trans>Blocked by {other}</Trans>}
                <span className="block text-xs text-dim">
                  {block.endedAt === null
                    ? formatDateTime(block.createdAt)
                    : t`${{ from: formatDateTime(block.createdAt) }} to ${{ to: formatDateTime(block.endedAt) }}`}
                </span>
                <span className="block wrap-anywhere">{block.reason}</span>
              </span>
              {block.endedAt === null && (
                <Button variant="default" size="xs" onClick={() => void lift(block)}>
                  {t`Lift block`}
                  <span className="sr-only">: {block.name}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
