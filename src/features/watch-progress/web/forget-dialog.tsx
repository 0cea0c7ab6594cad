import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'

/** What to confirm: removing what is stored, or also keeping nothing from now on. */
export type Forgetting = 'all' | 'history'
interface Props {
  forgetting: Forgetting
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
    title: 'Keep no history?',
    description:
      'Continue Watching is emptied, and where you stop watching is no longer stored. You can turn it on again in My Account, under Watchlist.',
    action: 'Keep No History',
  },
}

/** Asks before positions are deleted. */
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
