import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Modal } from '@mantine/core'
import type { Purchase } from '#web/features/payments/use-purchase.ts'
import { useSiteName } from '#web/features/site/site.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'
import { IconBuildingBank } from '#web/ui/icons.ts'

type Props = { purchase: Purchase; onResult: ((agreed: boolean) => void) | null }

/** Renders the sandbox's 3-D Secure dialog in place of the bank's. Closing it fails the authentication. */
export function ThreeDSecureDialog({ purchase, onResult }: Props) {
  const name = useSiteName()
  const amount = formatDollars(purchase.total)
  const coins = formatCoins(purchase.coinPackage.coins)
  return (
    <Modal
      opened={onResult !== null}
      onClose={() => onResult?.(false)}
      title={t`3-D Secure authentication`}
      closeButtonProps={{ 'aria-label': t`Close` }}
      closeOnClickOutside={false}
      size="md"
      classNames={{ title: 'text-xl font-heading tracking-tight' }}
    >
      <p className="flex items-center gap-2 text-sm text-dim">
        <IconBuildingBank size={20} aria-hidden />
        {t`Test bank · no real money`}
      </p>
      <p className="mt-4">
        <Trans>
          {name} asks for <strong className="font-number">{amount}</strong> for {coins}. Confirm that you are
          making this payment.
        </Trans>
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="default" onClick={() => onResult?.(false)}>
          {t`Fail authentication`}
        </Button>
        <Button data-autofocus onClick={() => onResult?.(true)}>
          {t`Complete authentication`}
        </Button>
      </div>
    </Modal>
  )
}
