import { Link } from 'react-router'

/** Renders the name of a user as a link to everything about them, for Admins. */
export function UserLink({ id, name, className = '' }: { id: string; name: string; className?: string }) {
  return (
    <Link to={`/dashboard/manage-users/${id}`} className={`link wrap-anywhere ${className}`}>
      {name}
    </Link>
  )
}
