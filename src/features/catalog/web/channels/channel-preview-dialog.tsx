import { type ComponentType, type RefObject, Suspense } from 'react'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import type { Channel } from '../../contract.ts'
import { categoryName } from '../../rules.ts'
import type { ChannelNote } from './channel-card.tsx'
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
  subscriberAction?: ComponentType<{ channel: Channel }> | undefined
  /** What is on the channel, if it is known. */
  note?: ChannelNote | undefined
}

export function ChannelPreviewDialog({
  channel,
  open,
  onOpenChange,
  returnTo,
  action: Action,
  subscriberAction: Main,
  note,
}: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={channel.name}
      description={categoryName(channel.category)}
      size="wide"
      sheet
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
              <Main channel={channel} />
            </Suspense>
          ) : (
            <ButtonLink to="/pricing">View Plans</ButtonLink>
          )}
        </>
      }
    >
      <ChannelPreview key={channel.id} channel={channel} subscribed={Main !== undefined} />
      {(note?.now || note?.next) && (
        <dl className="channel-programs num">
          {note.now && (
            <div>
              <dt>Now, until {note.now.until}</dt>
              <dd>{note.now.title}</dd>
            </div>
          )}
          {note.next && (
            <div>
              <dt>Next, {note.next.at}</dt>
              <dd>{note.next.title}</dd>
            </div>
          )}
        </dl>
      )}
    </Dialog>
  )
}
