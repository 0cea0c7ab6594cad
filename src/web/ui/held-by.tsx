import type { Holder } from './opened-item.ts'
import { UserMark } from './user-mark.tsx'

/** Says that another administrator has an item open. This is a hint and not a lock: the server rejects a change that is based on an outdated version. */
export function HeldBy({ id, username }: Holder) {
  return (
    <span className="held-by">
      <UserMark id={id} name={username} />
      {username} is on it
    </span>
  )
}
