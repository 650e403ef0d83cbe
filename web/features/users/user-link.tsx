import { Link } from 'react-router'

/** Renders the name of a user as a link to everything about them, for Admins. Without an id it is only the name. */
export function UserLink({
  id,
  name,
  className = '',
}: {
  id: string | null
  name: string
  className?: string
}) {
  if (id === null) return <>{name}</>
  return (
    <Link to={`/dashboard/manage-users/${id}`} className={`link wrap-anywhere ${className}`}>
      {name}
    </Link>
  )
}
