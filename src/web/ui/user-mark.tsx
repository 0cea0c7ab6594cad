import { clsx } from 'clsx'

const backgrounds = ['bg-bar-lime', 'bg-bar-sky', 'bg-bar-mustard', 'bg-bar-ember', 'bg-bar-teal', 'bg-bar-cream']

/** The first letter of a username on a colored tile. Decorative, since the name is shown beside it. */
export function UserMark({ id, name }: { id: number; name: string }) {
  return (
    <span aria-hidden="true" className={clsx('user-mark', backgrounds[id % backgrounds.length])}>
      {name.slice(0, 1).toUpperCase()}
    </span>
  )
}
