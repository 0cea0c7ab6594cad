import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'

/** What the customer confirms. `all`: deleting the stored positions. `history`: also turning the watch history off. */
export type ForgetScope = 'all' | 'history'
interface Props {
  forgetting: ForgetScope
  isOpen: boolean
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
  returnTo: () => HTMLElement | null
}
const texts = {
  all: {
    title: 'Remove everything from Continue Watching?',
    description: 'All recordings will start from the beginning again.',
    action: 'Remove All',
  },
  history: {
    title: 'Turn off watch history?',
    description:
      'This empties Continue Watching, and we no longer store where you stop. You can turn your watch history on again in My Account, under Watchlist.',
    action: 'Turn Off History',
  },
}

/** Asks for confirmation before positions are deleted. */
export function ForgetDialog({ forgetting, isOpen, isPending, onConfirm, onClose, returnTo }: Props) {
  return (
    <ConfirmDialog
      {...texts[forgetting]}
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      pending={isPending}
      onConfirm={onConfirm}
      returnTo={returnTo}
    />
  )
}
