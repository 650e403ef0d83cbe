import { plural, t } from '@lingui/core/macro'
import {
  type Audience,
  isUnrestricted,
  UNRESTRICTED_AUDIENCE,
  type Visibility,
  WORK_LANGUAGES,
  type WorkLanguage,
} from '#contract/audience.ts'
import { formatNumber } from '#web/lib/format.ts'
import { LOCALE } from '#web/lib/locale.ts'

/** The values of the fields of an audience. */
export type AudienceValues = {
  visibility: Visibility
  qualifications: string[]
  approvalPercentMin: number | ''
  approvedMin: number | ''
  language: WorkLanguage | ''
}

const languageNames = new Intl.DisplayNames(LOCALE, { type: 'language' })
export const languageName = (language: WorkLanguage): string => languageNames.of(language) ?? language

/** The languages by their names, those of the product first. */
export const languageOptions = (): { value: WorkLanguage; label: string }[] =>
  WORK_LANGUAGES.map((value) => ({ value, label: languageName(value) }))

export const VISIBILITY_NAMES: Record<Visibility, string> = {
  everyone: t`Everyone`,
  favourites_first: t`My favourites first, for an hour`,
  link: t`Only workers with the private link`,
}

/** Returns what the fields start with. */
export function valuesOfAudience({
  visibility,
  qualifications,
  approvalPercentMin,
  approvedMin,
  language,
}: Audience = UNRESTRICTED_AUDIENCE): AudienceValues {
  return {
    visibility,
    qualifications,
    approvalPercentMin: approvalPercentMin ?? '',
    approvedMin: approvedMin ?? '',
    language: language ?? '',
  }
}

/** Returns the audience of the fields; undefined for every worker. */
export function audienceOfValues(values: AudienceValues): unknown {
  const { approvalPercentMin, approvedMin, language, ...rest } = values
  const audience = {
    ...rest,
    approvalPercentMin: approvalPercentMin === '' ? null : approvalPercentMin,
    approvedMin: approvedMin === '' ? null : approvedMin,
    language: language === '' ? null : language,
  }
  return isUnrestricted(audience) ? undefined : audience
}

/** Returns an audience in a few words. */
export function summaryOf({
  visibility,
  qualifications,
  approvalPercentMin,
  approvedMin,
  language,
}: Omit<AudienceValues, 'qualifications'> & { qualifications: readonly unknown[] }): string {
  const parts = [
    ...(visibility === 'everyone' ? [] : [VISIBILITY_NAMES[visibility]]),
    ...(qualifications.length === 0
      ? []
      : [plural(qualifications.length, { one: '# qualification', other: '# qualifications' })]),
    ...(approvalPercentMin === ''
      ? []
      : [t`at least ${{ percent: formatNumber(approvalPercentMin) }}% approved`]),
    ...(approvedMin === ''
      ? []
      : [
          plural(approvedMin, {
            one: 'at least # approved submission',
            other: 'at least # approved submissions',
          }),
        ]),
    ...(language === '' ? [] : [languageName(language)]),
  ]
  return parts.length === 0 ? t`Every worker` : parts.join(' · ')
}
