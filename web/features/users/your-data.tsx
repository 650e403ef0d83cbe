import { t } from '@lingui/core/macro'
import { myData } from '#contract/users.ts'
import { download } from '#web/lib/api.ts'
import { DownloadButton } from '#web/ui/download-button.tsx'

/** Renders the download of everything stored about the user. */
export function YourData({ email }: { email: string }) {
  return (
    <section aria-labelledby="your-data" className="card flex flex-wrap items-center gap-4 p-4 sm:p-5">
      <div className="min-w-0 flex-1 basis-72">
        <h2 id="your-data" className="text-lg">{t`Your data`}</h2>
        <p className="text-sm text-dim">{t`Everything stored about you as a JSON file: profile, tasks, submissions, coins, payments, notifications and sessions. You confirm your identity first.`}</p>
      </div>
      <DownloadButton
        label={t`Download my data`}
        fileName="my-data.json"
        load={() => download(myData, { params: { email } })}
        failure={t`Could not download your data`}
      />
    </section>
  )
}
