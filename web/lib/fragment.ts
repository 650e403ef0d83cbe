import { useLocation } from 'react-router'

/**
 * A value behind the `#` of the address, where mailed links carry their secrets: it is sent to no server and stands in
 * no log. Empty when there is none.
 */
export function useFragment(name: string): string {
  return new URLSearchParams(useLocation().hash.slice(1)).get(name) ?? ''
}
