import { t } from '@lingui/core/macro'
import {
  blockWorker,
  type MyWorker,
  myWorkers,
  setFavouriteWorker,
  unblockWorker,
} from '#contract/my-workers.ts'
import { qualifications, setQualifiedWorkers } from '#contract/qualifications.ts'
import { REASON_MAX } from '#contract/rejections.ts'
import { call } from '#web/lib/api.ts'
import { useChange } from '#web/lib/use-change.ts'
import { prompt } from '#web/ui/dialogs.tsx'
import { showFailure } from '#web/ui/show-failure.ts'
import { toast } from '#web/ui/toasts.tsx'

/** Returns what a buyer can do about one of their workers. */
export function useWorkerActions({ worker, name, favourite }: MyWorker) {
  const changes = useChange([myWorkers, qualifications])
  const params = { worker }

  /** Makes a change and shows that it was made. */
  async function change(done: string, write: () => Promise<unknown>): Promise<void> {
    await changes.change(worker, write)
    void toast({ message: done })
  }

  const attempt = (done: string, write: () => Promise<unknown>) =>
    showFailure(t`Could not change this worker`, change(done, write))

  return {
    isBusy: changes.pendingId !== null,
    toggleFavourite: () =>
      attempt(
        favourite ? t`${name} was removed from your favourites.` : t`${name} was added to your favourites.`,
        () => call(setFavouriteWorker, { params, body: { favourite: !favourite } }),
      ),
    block: async () => {
      await prompt({
        title: t`Block ${name}?`,
        text: t`They can no longer take your tasks and items. What they have reserved or submitted stays, and is reviewed and paid as usual. Admins can read your reason; the worker cannot.`,
        label: t`Reason`,
        maxLength: REASON_MAX,
        requiredMessage: t`Enter the reason, which Admins can read`,
        confirmLabel: t`Block`,
        danger: true,
        draft: `block ${worker}`,
        submit: (reason) =>
          change(t`${name} is blocked.`, () => call(blockWorker, { params, body: { reason } })),
      })
    },
    unblock: () => attempt(t`${name} can take your tasks again.`, () => call(unblockWorker, { params })),
    setQualified: (id: string, qualified: boolean) =>
      attempt(qualified ? t`The qualification was granted.` : t`The qualification was revoked.`, () =>
        call(setQualifiedWorkers, { params: { id }, body: { workers: [worker], qualified } }),
      ),
  }
}
