import { t } from '@lingui/core/macro'
import { Checkbox } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { WorkLanguage } from '#contract/audience.ts'
import { myLanguages, myQualifications, setMyLanguages } from '#contract/task-access.ts'
import { call, errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useScrollToFragment } from '#web/lib/scroll-to-fragment.ts'
import { useReplaceMutation } from '#web/lib/use-replace-mutation.ts'
import { toast } from '#web/ui/toasts.tsx'
import { languageOptions } from './audience-values.ts'

/** Renders the worker's languages, which tasks can require, and the qualifications that buyers have granted. */
export function WorkProfile() {
  const { data: held } = useSuspenseQuery(queryOf(myQualifications, {}))
  const section = useScrollToFragment('languages')
  return (
    <section
      ref={section}
      id="languages"
      aria-labelledby="work-profile"
      className="card scroll-mt-24 p-4 sm:p-5"
    >
      <h2 id="work-profile" className="text-lg">{t`Languages and qualifications`}</h2>
      <Languages />
      <h3 className="mt-5 text-base">{t`Your qualifications`}</h3>
      {held.length === 0 ? (
        <p className="text-sm text-dim">{t`None yet. Buyers grant them, or you earn them in test batches. Tasks that require one say how to get it.`}</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {held.map(({ _id, name, description, buyerId, buyerName }) => (
            <li key={_id} className="py-2">
              <span className="font-nav wrap-anywhere">{name}</span>{' '}
              <Link to={`/users/${buyerId}`} className="link">{t`by ${buyerName}`}</Link>
              <span className="block text-dim wrap-anywhere">{description}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Languages() {
  const [showsAll, setShowsAll] = useState(false)
  const { data } = useSuspenseQuery(queryOf(myLanguages, {}))
  const save = useReplaceMutation({
    read: myLanguages,
    send: (value) => call(setMyLanguages, { body: value }),
    onError: (error) => void toast({ message: errorMessage(error), tone: 'error' }),
  })
  const all = languageOptions()
  // The languages of the product come first. A box that was ticked and is cleared again stays.
  const [listed] = useState(
    () => new Set<string>([...all.slice(0, 2).map(({ value }) => value), ...data.languages]),
  )
  const options = showsAll ? all : all.filter(({ value }) => listed.has(value))
  return (
    <Checkbox.Group
      label={t`Languages in which you can work`}
      description={t`Some tasks require one. The language of your account counts too.`}
      value={data.languages}
      onChange={(chosen) =>
        save.mutate(({ languages }) => {
          const kept = languages.filter((one) => chosen.includes(one) || !data.languages.includes(one))
          const added = chosen.filter((one) => !data.languages.includes(one as WorkLanguage))
          return { languages: [...new Set([...kept, ...(added as WorkLanguage[])])] }
        })
      }
    >
      <div className="mt-3 mb-2 flex flex-wrap items-center gap-x-6 gap-y-3">
        {options.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
        {!showsAll && (
          <button type="button" className="link text-sm" onClick={() => setShowsAll(true)}>
            {t`More languages`}
          </button>
        )}
      </div>
    </Checkbox.Group>
  )
}
