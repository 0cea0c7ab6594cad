import { Link } from '@tanstack/react-router'
import { UserMark } from './user-mark.tsx'

interface Props {
  id: number
  username: string
  /** Shows the colored initial beside the name. */
  mark?: boolean
  /** Shown in the tooltip after the username. */
  email?: string
}

/** The username in an admin list, linked to the customer page. */
export function UserLink({ id, username, mark, email }: Props) {
  const name = (
    <Link
      to="/admin/users/$userId"
      params={{ userId: String(id) }}
      preload={false}
      className="link cell-clip cell-clip-wide"
      title={email ? `${username}, ${email}` : username}
    >
      {username}
    </Link>
  )
  if (!mark) return name
  return (
    <span className="cell-who">
      <UserMark id={id} name={username} />
      {name}
    </span>
  )
}
