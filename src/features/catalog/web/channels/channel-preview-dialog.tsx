import { type ComponentType, type RefObject, Suspense } from 'react'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import type { Channel } from '../../contract.ts'
import { categoryName } from '../../rules.ts'
import { ChannelPreview } from './channel-preview.tsx'

interface Props {
  channel: Channel
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The card that opened the dialog. */
  returnTo: RefObject<HTMLElement | null>
  /** Rendered before the main button. */
  action?: ComponentType<{ channel: Channel }> | undefined
  /** The main button of a visitor with a running subscription, instead of View Plans. */
  subscriberAction?: ComponentType | undefined
}

export function ChannelPreviewDialog({
  channel,
  open,
  onOpenChange,
  returnTo,
  action: Action,
  subscriberAction: Main,
}: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={channel.name}
      description={categoryName(channel.category)}
      size="wide"
      returnTo={returnTo}
      footer={
        <>
          {Action && (
            <Suspense>
              <Action channel={channel} />
            </Suspense>
          )}
          {Main ? (
            <Suspense>
              <Main />
            </Suspense>
          ) : (
            <ButtonLink to="/pricing">View Plans</ButtonLink>
          )}
        </>
      }
    >
      <ChannelPreview key={channel.id} channel={channel} subscribed={Main !== undefined} />
    </Dialog>
  )
}
