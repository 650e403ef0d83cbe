import { t } from '@lingui/core/macro'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { LOCALE_NAMES, Locale, OFFERED_LOCALES } from '#contract/locales.ts'
import { Name } from '#contract/shapes.ts'
import { changeProfile, publicProfile, type User } from '#contract/users.ts'
import { uploadProfilePicture } from '#web/features/auth/registration.ts'
import { PictureField } from '#web/features/users/picture-field.tsx'
import { call } from '#web/lib/api.ts'
import { useFocusOnMount } from '#web/lib/focus-on-mount.ts'
import { useForm } from '#web/lib/form.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'
import { toast } from '#web/ui/toasts.tsx'

const LANGUAGES = OFFERED_LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale] }))
const Form = z.object({
  name: Name,
  locale: Locale,
  image: z.nullable(z.custom<File>((value) => value instanceof File)),
})

/**
 * Renders the form that changes the user's name, language and picture. Only what was changed here is sent: the rest may have been
 * changed on another device meanwhile.
 */
export default function EditProfile({ user, onClose }: { user: User; onClose: () => void }) {
  const { refetchUser } = useSession()
  const queryClient = useQueryClient()
  const nameInput = useFocusOnMount()
  const [start] = useState({ name: user.name, locale: user.locale })
  const form = useForm({
    schema: Form,
    initialValues: { ...start, image: null as File | null },
    submit: async ({ name, locale, image }) => {
      const url = image === null ? undefined : await uploadProfilePicture(image)
      if (url === null) return
      const body = {
        ...(name !== start.name && { name }),
        ...(locale !== start.locale && { locale }),
        ...(url !== undefined && { image: url }),
      }
      await call(changeProfile, { body })
      void queryClient.invalidateQueries({ queryKey: queryKeyOf(publicProfile) })
      await refetchUser()
      void toast({ message: t`Your profile is saved.`, tone: 'success' })
      onClose()
    },
  })
  return (
    <form {...form.props} aria-label={t`Edit profile`} className="w-full max-w-xl space-y-4">
      <TextInput
        label={t`Name`}
        description={t`Receipts you already have keep the name they were issued to.`}
        autoComplete="name"
        required
        ref={nameInput}
        {...form.field('name')}
      />
      <NativeSelect
        label={t`Language of notifications and emails`}
        data={LANGUAGES}
        {...form.field('locale')}
      />
      <PictureField
        {...form.field('image')}
        label={t`New profile image`}
        currentImage={user.image}
        userName={form.values.name}
        required={false}
      />
      <FormError message={form.submitError} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={form.isSubmitting}>{t`Save profile`}</Button>
        <Button variant="subtle" onClick={onClose}>{t`Cancel`}</Button>
      </div>
    </form>
  )
}
