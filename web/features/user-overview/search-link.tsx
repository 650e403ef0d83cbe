import { Link } from 'react-router'

/** Renders a value as a link to the search for users with the same one. */
export function SearchLink({ value, label = value }: { value: string; label?: string }) {
  return (
    <Link to={`/dashboard/user-search?q=${encodeURIComponent(value)}`} className="link wrap-anywhere">
      {label}
    </Link>
  )
}
