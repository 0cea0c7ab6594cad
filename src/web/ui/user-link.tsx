import { Link } from '@tanstack/react-router'
import { UserMark } from './user-mark.tsx'

interface Props {
  id: number
  username: string
  /** With the coloured letter, where people are what the list is about. */
  mark?: boolean
  /** What the title says besides the whole name. */
  email?: string
}

/** A customer's name in a list for administrators, which leads to everything about them. */
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
