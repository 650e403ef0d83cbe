import { t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import { ProfileForm, register } from '#web/features/auth/registration.ts'
import { RoleChoice } from '#web/features/auth/role-choice.tsx'
import { useSignOut } from '#web/features/auth/use-sign-out.ts'
import { useSiteName } from '#web/features/site/site.ts'
import { PictureField } from '#web/features/users/picture-field.tsx'
import { useForm } from '#web/lib/form.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { useSession } from '#web/lib/session.tsx'
import { FormError } from '#web/ui/form-error.tsx'

/**
 * Renders the rest of the sign-up for an identity that is not registered yet. The URL holds the role of a sign-up that
 * was sent before the page's scripts ran.
 */
export default function CompleteProfile() {
  const { user, refetchUser } = useSession()
  const signOut = useSignOut()
  const siteName = useSiteName()
  const [search] = useSearchParams()
  const form = useForm({
    schema: ProfileForm,
    initialValues: { name: user?.name ?? '', role: search.get('role') ?? '', image: null as File | null },
    submit: async (values, attempt) => {
      if (user === null) return
      if (await register(user.email, values, attempt)) await refetchUser()
    },
  })
  const image = form.field('image')
  return (
    <div className="mx-auto w-full max-w-xl px-4 py-12">
      <title>{`${t`Complete your profile`} · ${siteName}`}</title>
      <h1 className="text-title">{t`Complete your profile`}</h1>
      <p className="mt-1 mb-6 text-dim">{t`You are signed in as ${{ email: user?.email ?? '' }}. Choose your role and add a profile image to continue.`}</p>
      <form {...form.props} className="card space-y-5 p-6">
        <RoleChoice {...form.field('role')} />
        <TextInput label={t`Name`} autoComplete="name" withAsterisk {...form.field('name')} />
        <PictureField {...image} userName={form.values.name} />
        <FormError message={form.submitError} />
        <div className="flex flex-wrap justify-between gap-3">
          <Button variant="default" onClick={() => void signOut()}>{t`Logout`}</Button>
          <Button type="submit" loading={form.isSubmitting}>{t`Continue`}</Button>
        </div>
      </form>
    </div>
  )
}
