import { type KeyboardEvent, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import type { TicketPicture } from '../../contract.ts'
import { picturePath } from '../../picture-rules.ts'

interface Props {
  pictures: readonly TicketPicture[]
  /** The index of the picture that is shown first. */
  first: number
  from: string
  isStaff: boolean
  returnTo: () => HTMLElement | null
}

/** A dialog with one picture of a message. Buttons and the arrow keys show the other pictures. */
export function PictureDialog({ pictures, first, from, isStaff, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const [at, setAt] = useState(first)
  const { id, width, height } = pictures[at]!
  const last = pictures.length - 1
  const name = `Picture from ${from}, ${at + 1} of ${pictures.length}`
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft' && at > 0) setAt(at - 1)
    if (key === 'ArrowRight' && at < last) setAt(at + 1)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={name}
      size="wide"
      returnTo={returnTo}
      footer={
        last > 0 && (
          <>
            <Button
              variant="line"
              aria-disabled={at === 0}
              onKeyDown={onKeyDown}
              onClick={() => at > 0 && setAt(at - 1)}
            >
              Previous
            </Button>
            <Button
              variant="line"
              aria-disabled={at === last}
              onKeyDown={onKeyDown}
              onClick={() => at < last && setAt(at + 1)}
            >
              Next
            </Button>
          </>
        )
      }
    >
      <img
        key={id}
        className="picture-whole"
        src={picturePath(id, false, isStaff)}
        alt={name}
        width={width}
        height={height}
      />
    </Dialog>
  )
}
