import { Link } from '@tanstack/react-router'
import type { Ref } from 'react'
import type { Chat } from '#features/chat/contract.ts'
import { chatOrigin, providerName } from '#features/chat/rules.ts'
import { Button } from '../ui/button/button.tsx'

interface Props {
  ref: Ref<HTMLDivElement>
  id: string
  chat: Chat
  /** Whether loading the widget failed. */
  failed: boolean
  onStart: () => void
  onDismiss: () => void
}

/** Names the chat provider and the data it receives before anything is loaded from it. */
export function ChatDialog({ ref, id, chat, failed, onStart, onDismiss }: Props) {
  const provider = providerName(chat)
  return (
    <div ref={ref} id={id} className="chat-dialog" role="dialog" aria-labelledby={`${id}-title`} tabIndex={-1}>
      <h2 id={`${id}-title`}>{failed ? 'The chat could not be loaded' : 'Chat with us'}</h2>
      {failed ? (
        <p role="alert">
          An ad blocker may have blocked it. <Link to="/contact">Write to us</Link> instead, or try again.
        </p>
      ) : (
        <p>
          Our chat is run by {provider}. When you start it, {provider} ({new URL(chatOrigin(chat)).host}) sets cookies
          in your browser and receives your messages and your IP address. See our{' '}
          <Link to="/cookies">Cookie Policy</Link>.
        </p>
      )}
      <div className="chat-actions">
        <Button onClick={onStart}>{failed ? 'Try Again' : 'Start Chat'}</Button>
        <Button variant="line" onClick={onDismiss}>
          Not Now
        </Button>
      </div>
    </div>
  )
}
