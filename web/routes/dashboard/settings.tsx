import { plural, t } from '@lingui/core/macro'
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type OperatorSetting, operatorSettings } from '#contract/operator-settings.ts'
import { adminFirstSteps } from '#contract/stats.ts'
import { SETTING_SECTIONS } from '#web/features/operator-settings/sections.en.ts'
import { SettingCard } from '#web/features/operator-settings/setting-card.tsx'
import { sectionOf } from '#web/features/operator-settings/setting-section.ts'
import { openRecommendation } from '#web/features/operator-settings/setting-values.ts'
import { queryOf } from '#web/lib/queries.ts'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const ORDER = Object.keys(SETTING_SECTIONS)

/** Renders the operator's settings, each with a form, its recommended value and its history. */
export default function Settings() {
  // Requested at once with the settings.
  usePrefetchQuery(queryOf(adminFirstSteps, {}))
  const { data } = useSuspenseQuery(queryOf(operatorSettings, {}))
  const { data: steps } = useSuspenseQuery(queryOf(adminFirstSteps, {}))
  const settings = data.toSorted((a, b) => placeOf(a) - placeOf(b))
  const recommendedFor = (setting: OperatorSetting) => openRecommendation(setting, steps.secondAdmin)
  const open = settings.filter((setting) => recommendedFor(setting) !== undefined)
  return (
    <Screen
      title={t`Settings`}
      subtitle={t`What you can change while the marketplace runs. Each change is kept with its reason.`}
      width="narrow"
    >
      <div className="space-y-5">
        {open.length > 0 && (
          <p className="card p-5 text-sm">
            {plural(open.length, {
              one: '# setting differs from what we recommend:',
              other: '# settings differ from what we recommend:',
            })}{' '}
            {open.map(({ name, value }, index) => (
              <span key={name}>
                {index > 0 && ', '}
                <a className="link" href={`#${name}`}>
                  {sectionOf(name, value).title}
                </a>
              </span>
            ))}
          </p>
        )}
        {settings.map((setting) => (
          <SettingCard key={setting.name} setting={setting} recommended={recommendedFor(setting)} />
        ))}
      </div>
    </Screen>
  )
}

/** Settings without texts come last. */
function placeOf({ name }: OperatorSetting): number {
  const place = ORDER.indexOf(name)
  return place === -1 ? ORDER.length : place
}
