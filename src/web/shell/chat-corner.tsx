import '../styles/chat.css'
import { MessageCircle } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Chat } from '#features/chat/contract.ts'
import { Button } from '../ui/button.tsx'
import { ChatPanel } from './chat-panel.tsx'
import { useChat } from './use-chat.ts'

interface Props {
  chat: Chat
  userId: number | undefined
}

const panelId = 'chat-panel'

/** The way to the live chat at the edge of public pages. Once the provider's widget runs, it has a button of its own. */
export function ChatCorner({ chat, userId }: Props) {
  const { state, start, press, close } = useChat(chat, userId)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const isOpen = state === 'asking' || state === 'failed'
  useEffect(() => {
    if (isOpen) panel.current?.focus()
  }, [isOpen])
  if (state === 'running') return null

  const dismiss = () => {
    close()
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) dismiss()
  }
  return (
    <aside className="chat" aria-label="Live chat" onKeyDown={onKeyDown}>
      {isOpen && (
        <ChatPanel
          ref={panel}
          id={panelId}
          chat={chat}
          failed={state === 'failed'}
          onStart={() => void start()}
          onDismiss={dismiss}
        />
      )}
      <Button
        ref={button}
        variant="ink"
        className="chat-button"
        pending={state === 'loading'}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={isOpen ? dismiss : press}
      >
        <MessageCircle size={20} />
        Chat
      </Button>
    </aside>
  )
}
