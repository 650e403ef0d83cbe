import { t } from '@lingui/core/macro'
import { useNavigate } from 'react-router'
import { errorMessage } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.tsx'
import { showMessage } from '#web/ui/dialogs.tsx'

/** Returns a function that signs the user out and goes to the login screen, or says why the user is still signed in. */
export function useSignOut(): () => Promise<void> {
  const { logOut } = useSession()
  const navigate = useNavigate()
  return async () => {
    try {
      await logOut()
    } catch (error) {
      return showMessage({ title: t`Could not sign out`, text: errorMessage(error), tone: 'error' })
    }
    await navigate('/login')
  }
}
