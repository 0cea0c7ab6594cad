import type { PresentAdministrator } from '#features/desk/admin-presence-contract.ts'
import { UserMark } from '#web/ui/user-mark.tsx'
import { deskPages, isOpen } from './desk-pages.ts'

const popoverId = 'desk-present'
const maxShown = 3

/** The other administrators at the desk, with the page that each has open. */
export function PresentAdministrators({ present }: { present: readonly PresentAdministrator[] }) {
  if (present.length === 0) return null
  return (
    <>
      <button type="button" className="desk-present" popoverTarget={popoverId} aria-haspopup="dialog">
        {present.slice(0, maxShown).map(({ id, username }) => (
          <UserMark key={id} id={id} name={username} />
        ))}
        {present.length > maxShown && <span className="num">+{present.length - maxShown}</span>}
        <span className="sr-only">Other administrators at the desk: {present.length}</span>
      </button>
      <div id={popoverId} popover="auto" role="dialog" aria-label="At the desk" className="pop pop-present">
        <p className="pop-head">
          <b>At the desk</b>
        </p>
        <ul>
          {present.map(({ id, username, path }) => (
            <li key={id}>
              <UserMark id={id} name={username} />
              <span>
                {username} <small>{pageOf(path)}</small>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

/** The name of an admin page. The tab of the Admin Panel is not reported. */
const pageOf = (path: string): string =>
  path === '/admin' ? 'Admin Panel' : (deskPages.find((page) => isOpen(page, path, undefined))?.label ?? 'Another page')
