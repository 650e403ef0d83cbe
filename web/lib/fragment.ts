import { useLocation } from 'react-router'

/**
 * Returns a parameter of the URL's fragment, or an empty string. Links in mails carry their tokens there, because the
 * fragment is not sent to a server and appears in no log.
 */
export function useFragment(name: string): string {
  return new URLSearchParams(useLocation().hash.slice(1)).get(name) ?? ''
}
