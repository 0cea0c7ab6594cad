import { clsx } from 'clsx'

const grounds = ['bg-bar-lime', 'bg-bar-sky', 'bg-bar-mustard', 'bg-bar-ember', 'bg-bar-teal', 'bg-bar-cream']

/** The first letter of a username on a coloured tile, beside the name itself in lists. */
export function UserMark({ id, name }: { id: number; name: string }) {
  return (
    <span aria-hidden="true" className={clsx('user-mark', grounds[id % grounds.length])}>
      {name.slice(0, 1).toUpperCase()}
    </span>
  )
}
