import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { Destination } from '#contract/destinations.ts'
import { destinationName, isUsable } from '#web/features/destinations/destination-name.ts'
import { PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { CopyableText } from '#web/ui/copy-value.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Props = {
  destinations: Destination[]
  onChange: (destination: Destination) => void
  onRemove: (destination: Destination) => void
}

/** Renders the user's payout destinations, with buttons to change and remove each. */
export function DestinationList({ destinations, onChange, onRemove }: Props) {
  return (
    <ul className="card divide-y divide-line px-5 sm:px-6">
      {destinations.map((destination) => (
        <li
          key={destination._id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4"
        >
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-nav">{PAYMENT_SYSTEM_NAMES[destination.payment_system]}</span>
              <span className="font-number tabular-nums">
                <CopyableText value={destination.accountNumber} name={t`account number`} />
              </span>
              <DestinationState destination={destination} />
            </p>
            <p className="mt-1 text-sm wrap-anywhere text-dim">{detailsOf(destination)}</p>
            {!isUsable(destination) && (
              <p className="mt-1 text-sm">
                {t`You can withdraw to it from ${{ time: formatDateTime(destination.usableAt) }}.`}
              </p>
            )}
            {destination.warnings.includes('routing_check_digit') && (
              <p className="mt-1 text-sm text-danger">
                {t`This does not look like a routing number. Compare it with your cheque book.`}
              </p>
            )}
          </div>
          <div className="flex flex-wrap gap-3">
            <Button
              variant="default"
              aria-label={t`Change ${{ name: destinationName(destination) }}`}
              onClick={() => onChange(destination)}
            >
              {t`Change`}
            </Button>
            <Button
              variant="default"
              aria-label={t`Remove ${{ name: destinationName(destination) }}`}
              onClick={() => onRemove(destination)}
            >
              {t`Remove`}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function DestinationState({ destination: { state } }: { destination: Destination }) {
  return state === 'verified' ? (
    <StatusBadge tone="success">{t`Verified`}</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">{t`Not verified`}</StatusBadge>
  )
}

function detailsOf({ holderName, bankName, branch, routingNumber }: Destination): string {
  const routing = routingNumber === '' ? '' : t`routing ${routingNumber}`
  return [holderName, bankName, branch, routing].filter((part) => part !== '').join(', ')
}
