import { lazy, Suspense } from 'react'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import type { TicketPicture } from '../../contract.ts'
import { picturePath } from '../../picture-rules.ts'

const PictureDialog = lazy(() => import('./picture-dialog.tsx').then((module) => ({ default: module.PictureDialog })))

interface Props {
  pictures: readonly TicketPicture[]
  /** Who sent the pictures: "you" or a name. */
  from: string
  /** Whether the pictures are loaded from the URLs for administrators. */
  isStaff: boolean
}

/** The pictures of a message. Each picture opens in a dialog. */
export function MessagePictures({ pictures, from, isStaff }: Props) {
  const [opened, open] = useOpenDialog<number>()
  const nameOf = (at: number) => `Picture from ${from}, ${at + 1} of ${pictures.length}`
  if (pictures.length === 0) return null
  return (
    <>
      <ul className="picture-row">
        {pictures.map(({ id, width, height }, at) => (
          <li key={id}>
            <button type="button" className="picture-open" onClick={({ currentTarget }) => open(at, currentTarget)}>
              <img src={picturePath(id, true, isStaff)} alt={nameOf(at)} width={width} height={height} loading="lazy" />
            </button>
          </li>
        ))}
      </ul>
      <Suspense>
        {opened && (
          <PictureDialog
            key={opened.openCount}
            pictures={pictures}
            first={opened.subject}
            from={from}
            isStaff={isStaff}
            returnTo={opened.returnTo}
          />
        )}
      </Suspense>
    </>
  )
}
