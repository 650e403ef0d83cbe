import { useNavigate } from 'react-router'
import { useSession } from '#web/lib/session.tsx'

/** Returns a function that signs the user out and goes to the login screen. */
export function useSignOut(): () => Promise<void> {
  const { logOut } = useSession()
  const navigate = useNavigate()
  return async () => {
    await logOut()
    await navigate('/login')
  }
}
