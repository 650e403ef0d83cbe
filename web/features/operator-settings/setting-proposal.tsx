import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  decideSettingProposal,
  type OperatorSetting,
  operatorSettings,
  type SettingProposal as Proposal,
} from '#contract/operator-settings.ts'
import { waiting } from '#contract/waiting.ts'
import { UserLink } from '#web/features/users/user-link.tsx'
import { call, errorMessage } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { showError } from '#web/ui/dialogs.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { SettingChanges } from './setting-changes.tsx'
import { sectionOf } from './setting-section.ts'

type Props = { setting: OperatorSetting; proposal: Proposal }

/** Renders a change that waits for another Admin, with the buttons that confirm it, reject it or withdraw it. */
export function SettingProposal({ setting, proposal }: Props) {
  const { name, value } = setting
  const { proposedBy, proposedAt, reason } = proposal
  const { title, fields } = sectionOf(name, value)
  return (
    <section
      aria-label={t`Pending change: ${{ setting: title }}`}
      className="mb-5 space-y-3 rounded-control bg-soft p-4 text-sm text-on-soft"
    >
      <p>
        <strong>{t`Pending change.`}</strong> <Condition proposal={proposal} />
      </p>
      <SettingChanges before={value} after={proposal.value} fields={fields} />
      <p className="wrap-anywhere">{reason}</p>
      <p className="text-xs">
        <UserLink id={proposedBy._id} name={proposedBy.name} />, {formatDateTime(proposedAt)}
      </p>
      <Decisions title={title} proposal={proposal} />
    </section>
  )
}

function Condition({ proposal: { effectiveAt, proposedBy } }: { proposal: Proposal }) {
  const isOwn = useUserData()._id === proposedBy._id
  if (effectiveAt !== null)
    return t`Takes effect on ${{ time: formatDateTime(effectiveAt) }}, unless another Admin is added or it is withdrawn.`
  return isOwn ? t`Another Admin has to confirm it.` : t`It takes effect when you confirm it.`
}

function Decisions({ title, proposal }: { title: string; proposal: Proposal }) {
  const queryClient = useQueryClient()
  const isOwn = useUserData()._id === proposal.proposedBy._id
  const [sending, setSending] = useState<'confirm' | 'withdraw' | null>(null)
  const decide = async (decision: 'confirm' | 'withdraw') => {
    setSending(decision)
    try {
      await call(decideSettingProposal, { params: { id: proposal._id }, body: { decision } })
      void toast({
        message:
          decision === 'confirm'
            ? t`${{ setting: title }}: change confirmed.`
            : isOwn
              ? t`${{ setting: title }}: change withdrawn.`
              : t`${{ setting: title }}: change rejected.`,
      })
    } catch (error) {
      await showError(t`Not saved`, t`Your decision was not saved.`, errorMessage(error))
    } finally {
      await invalidateEndpoints(queryClient, [operatorSettings, waiting])
      setSending(null)
    }
  }
  return (
    <div className="flex flex-wrap gap-3">
      {!isOwn && (
        <Button
          size="compact-md"
          loading={sending === 'confirm'}
          disabled={sending !== null}
          onClick={() => void decide('confirm')}
        >
          <Trans>
            Confirm change<span className="sr-only"> of {title}</span>
          </Trans>
        </Button>
      )}
      <Button
        size="compact-md"
        variant="default"
        loading={sending === 'withdraw'}
        disabled={sending !== null}
        onClick={() => void decide('withdraw')}
      >
        {isOwn ? (
          <Trans>
            Withdraw change<span className="sr-only"> of {title}</span>
          </Trans>
        ) : (
          <Trans>
            Reject change<span className="sr-only"> of {title}</span>
          </Trans>
        )}
      </Button>
    </div>
  )
}
