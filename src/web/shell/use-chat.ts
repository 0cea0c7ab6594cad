import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Chat, getChatIdentity } from '#features/chat/contract.ts'
import { callOf } from '../data.ts'
import { isPublicPath } from '../public-paths.ts'
import { readChatSlot, writeChatSlot } from './chat-storage.ts'
import { type ChatWidget, runningChat, startChat } from './chat-widget.ts'

export type ChatState = 'closed' | 'asking' | 'loading' | 'failed' | 'running'

/** Returns the state and the actions of the chat on a public page. Nothing is loaded from the provider before the visitor agrees. */
export function useChat(chat: Chat, userId: number | undefined) {
  const client = useQueryClient()
  const router = useRouter()
  const [state, setState] = useState<ChatState>(() => (runningChat() ? 'running' : 'closed'))

  const identifyVisitor = async (widget: ChatWidget) => {
    const identifiedId = readChatSlot('user')
    if (identifiedId !== null && identifiedId !== String(userId)) {
      widget.reset()
      writeChatSlot('user', null)
    }
    if (userId === undefined) return
    const { identity } = await callOf(client)(getChatIdentity, {}).catch(() => ({ identity: null }))
    if (!identity) return
    widget.identify(identity)
    writeChatSlot('user', String(userId))
  }

  const start = async () => {
    // The document was loaded for a page whose policy blocks the provider, so a new document is needed.
    if (!isPublicPath(router.options.context.openedAt ?? '')) {
      writeChatSlot('consent', 'open')
      await router.navigate({ href: router.state.location.publicHref, reloadDocument: true })
      return
    }
    writeChatSlot('consent', 'agreed')
    setState('loading')
    try {
      const widget = await startChat(chat)
      await identifyVisitor(widget)
      widget.open()
      setState('running')
    } catch {
      setState('failed')
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once after mounting
  useEffect(() => {
    if (readChatSlot('consent') === 'open') void start()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the user logs in or out while the chat is open
  useEffect(() => {
    const widget = runningChat()
    if (widget) void identifyVisitor(widget)
  }, [userId])

  return {
    state,
    start,
    press: () => (readChatSlot('consent') ? void start() : setState('asking')),
    close: () => setState('closed'),
  }
}
