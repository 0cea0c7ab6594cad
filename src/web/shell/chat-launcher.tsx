import '../styles/chat.css'
import { MessageCircle } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Chat } from '#features/chat/contract.ts'
import { Button } from '../ui/button/button.tsx'
import { ChatDialog } from './chat-dialog.tsx'
import { useChat } from './use-chat.ts'

interface Props {
  chat: Chat
  userId: number | undefined
}

const dialogId = 'chat-dialog'

/** The chat button on public pages. Once the provider's widget runs, it shows its own button instead. */
export function ChatLauncher({ chat, userId }: Props) {
  const { state, start, press, close } = useChat(chat, userId)
  const button = useRef<HTMLButtonElement>(null)
  const dialog = useRef<HTMLDivElement>(null)
  const isOpen = state === 'asking' || state === 'failed'
  useEffect(() => {
    if (isOpen) dialog.current?.focus()
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
        <ChatDialog
          ref={dialog}
          id={dialogId}
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
        aria-controls={isOpen ? dialogId : undefined}
        onClick={isOpen ? dismiss : press}
      >
        <MessageCircle size={20} />
        Chat
      </Button>
    </aside>
  )
}
